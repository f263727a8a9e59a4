/** Request of the session; `{name}` is a value from an earlier response. */
export interface Step {
  readonly call: string;
  readonly body?: object;
  /** Names for what the answer says, each with the path to it. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** Actions of a new account on each resource. The first request of each operation is its example. */
export const session: readonly Step[] = [
  ...step("GET /checks?token=wrong"),
  ...step("GET /contacts", { keep: { owner: "*._id" } }),
  ...step("GET /accounts"),
  ...step("POST /accounts", {
    body: {
      name: "Example Ltd",
      contactname: "Ann",
      email: "ann@example.com",
      timezone: "Europe/Berlin",
      location: ["eur"],
    },
    keep: { subaccount: "_id" },
  }),
  ...step("GET /accounts/{subaccount}"),
  ...step("PUT /accounts/{subaccount}", { body: { name: "Example Limited" } }),
  ...step("PUT /accounts", { body: { name: "Example shop" } }),
  ...step("POST /contacts", {
    body: {
      name: "Ann",
      custrole: "notify",
      newaddresses: [{ type: "webhook", address: "{shop}/alerts" }],
    },
    keep: { contact: "_id" },
  }),
  ...step("GET /contacts/{contact}"),
  ...step("PUT /contacts?id={contact}", { body: { name: "Ann Example" } }),
  ...step("PUT /contacts/{contact}", { body: { custrole: "view" } }),
  ...step("POST /contactgroups", {
    body: { name: "On call", members: ["{contact}"] },
    keep: { group: "_id" },
  }),
  ...step("GET /contactgroups"),
  ...step("GET /contactgroups/{group}"),
  ...step("PUT /contactgroups?id={group}", { body: { name: "On call today" } }),
  ...step("PUT /contactgroups/{group}", { body: { name: "On call" } }),
  ...step("POST /schedules?id=Office", {
    body: { data: { monday: { time1: "8:00", time2: "17:00" } } },
  }),
  ...step("POST /schedules/Mornings", {
    body: { data: { monday: { time1: "6:00", time2: "12:00" } } },
  }),
  ...step("GET /schedules"),
  ...step("GET /schedules/Office"),
  ...step("PUT /schedules?id=Office", {
    body: { data: { monday: { time1: "9:00", time2: "17:00" } } },
  }),
  ...step("PUT /schedules/Office", {
    body: { data: { monday: { time1: "9:00", time2: "18:00" } } },
  }),
  ...step("POST /notificationprofiles", {
    body: { name: "Nights", notifications: [{ "{group}": { schedule: "Nights", delay: 5 } }] },
    keep: { profile: "_id" },
  }),
  ...step("GET /notificationprofiles"),
  ...step("GET /notificationprofiles/{profile}"),
  ...step("PUT /notificationprofiles?id={profile}", { body: { name: "At night" } }),
  ...step("PUT /notificationprofiles/{profile}", { body: { name: "Nights" } }),
  ...step("POST /checks", {
    body: {
      type: "PUSH",
      label: "Nightly backup",
      enabled: true,
      interval: 60,
      notifications: [{ "{profile}": "All" }],
      fields: { size: { name: "backup.gigabytes", min: 1 } },
    },
    keep: { check: "_id", checktoken: "parameters.checktoken" },
  }),
  ...step("POST /v1?id={check}&checktoken={checktoken}&msg=backed%20up", {
    body: { data: { backup: { gigabytes: 12 } } },
  }),
  ...step("POST /v1/{check}/{checktoken}?ping=1200", {
    body: { data: { backup: { gigabytes: 12 } } },
  }),
  ...step("POST /v1/{check}/{checktoken}/fail?msg=no%20space"),
  ...step("GET /checks"),
  ...step("GET /checks/{check}?lastresult=true"),
  ...step("PUT /checks?id={check}", { body: { label: "Backup" } }),
  ...step("PUT /checks/{check}", { body: { label: "Nightly backup", tags: ["backup"] } }),
  ...step("POST /checks/acknowledge?id={check}", {
    body: { by: "Ann", note: "I am looking into it" },
  }),
  ...step("POST /checks/acknowledge/{check}", { body: { acknowledge: false } }),
  ...step("POST /checks/bulk", { body: { checklist: ["{check}"], addtags: ["nightly"] } }),
  ...step("GET /results?id={check}&limit=1"),
  ...step("GET /results/{check}?limit=1"),
  ...step("GET /results/current"),
  ...step("GET /results/events?id={check}&limit=1"),
  ...step("GET /results/events/{check}?limit=1"),
  ...step("GET /results/summary?id={check}"),
  ...step("GET /results/summary/{check}"),
  ...step("GET /results/uptime?id={check}"),
  ...step("GET /results/uptime/{check}"),
  ...step("GET /results/days?id={check}&days=1"),
  ...step("GET /results/days/{check}?days=1"),
  ...step("GET /statuses"),
  ...step("GET /statuses/{check}"),
  ...step("GET /statuses/overview"),
  ...step("GET /statuses/activity"),
  ...step("GET /statuses/runtimes?id={check}"),
  ...step("GET /statuses/runtimes/{check}"),
  ...step("GET /updates"),
  ...step("GET /dependents?id={contact}"),
  ...step("GET /dependents/{contact}"),
  ...step("GET /checks/{check}?interval=x"),
  ...step("GET /results/history?id={check}"),
  ...step("GET /results/history/{check}"),
  ...step("POST /checks", {
    body: {
      type: "HTTP",
      target: "{shop}/",
      label: "Shop",
      enabled: true,
      runlocations: ["local"],
    },
    keep: { web: "_id" },
  }),
  ...step("POST /checks/test", { body: { type: "HTTP", target: "{shop}/" } }),
  ...step("POST /checks/test/{web}", { body: { threshold: 10 } }),
  ...step("POST /checks", {
    body: { type: "HTTP", target: "{shop}/cart", label: "Cart", enabled: true },
    keep: { cart: "_id" },
  }),
  ...step("POST /checks/run?id={cart}"),
  ...step("POST /checks/run/{web}"),
  ...step("POST /checks/run/{web}"),
  ...step("GET /diagnostics?id={check}"),
  ...step("GET /diagnostics/{check}"),
  ...step("POST /contacts", {
    body: { name: "Ben", newaddresses: [{ type: "webhook", address: "{shop}/other-alerts" }] },
    keep: { ben: "_id" },
  }),
  ...step("POST /contacts/test?id={ben}"),
  ...step("POST /contacts/test/{contact}"),
  ...step("GET /notifications?limit=1"),
  ...step("GET /notifications/{check}?limit=1"),
  ...step("POST /maintenance", {
    body: { name: "Backup", duration: 5, cron: "0 2 1 1 *", checklist: ["{check}"] },
  }),
  ...step("GET /maintenance", { keep: { maintenance: "#" } }),
  ...step("GET /maintenance/{maintenance}"),
  ...step("PUT /maintenance?id={maintenance}", { body: { name: "Nightly backup" } }),
  ...step("PUT /maintenance/{maintenance}", { body: { name: "Backup" } }),
  ...step("POST /statuspages", {
    body: {
      name: "Shop",
      intro: "How our shop is.",
      sections: [{ name: "Backups", checks: [{ id: "{check}" }] }],
    },
    keep: { page: "_id" },
  }),
  ...step("GET /statuspages"),
  ...step("GET /statuspages/{page}"),
  ...step("PUT /statuspages?id={page}", { body: { name: "The shop" } }),
  ...step("PUT /statuspages/{page}", { body: { name: "Shop" } }),
  ...step("POST /subscribers", {
    body: { page: "{page}", kind: "webhook", address: "{shop}/status" },
    keep: { subscriber: "_id" },
  }),
  ...step("GET /subscribers?page={page}"),
  ...step("GET /subscribers/{subscriber}?page={page}"),
  ...step("POST /incidents", {
    body: { name: "Payments fail", text: "We are looking into it.", pages: ["{page}"] },
    keep: { incident: "_id" },
  }),
  ...step("GET /incidents"),
  ...step("GET /incidents/{incident}"),
  ...step("PUT /incidents?id={incident}", {
    body: { stage: "identified", text: "A provider is down." },
  }),
  ...step("PUT /incidents/{incident}", { body: { stage: "resolved", text: "It works again." } }),
  ...step("POST /heartbeataliases?id={check}", {
    body: { address: "https://kuma.example.com/api/push/tIgDC7WDq2" },
    keep: { alias: "_id" },
  }),
  ...step("POST /heartbeataliases/{check}", {
    body: { address: "https://kuma.example.com/api/push/uIgDC7WDq3" },
  }),
  ...step("GET /heartbeataliases"),
  ...step("GET /heartbeataliases/{check}"),
  ...step("POST /imports?id={check}", { body: { origin: "uptime-kuma", from: "12" } }),
  ...step("POST /imports/{web}", { body: { origin: "uptime-kuma", from: "13" } }),
  ...step("GET /imports?origin=uptime-kuma"),
  ...step("POST /importedhistories?id={check}", {
    body: {
      origin: "uptime-kuma",
      known: [{ start: 1_750_000_000_000, end: 1_750_086_400_000 }],
      outages: [{ start: 1_750_003_600_000, end: 1_750_003_900_000, message: "503" }],
    },
  }),
  ...step("POST /importedhistories/{web}", {
    body: { origin: "uptime-kuma", known: [{ start: 1_750_000_000_000, end: 1_750_086_400_000 }] },
  }),
  ...step("GET /importedhistories"),
  ...step("GET /importedhistories/{check}"),
  ...step("POST /configurations", { body: { name: "shop" }, keep: { configuration: "_id" } }),
  ...step("GET /configurations"),
  ...step("GET /configurations/{configuration}"),
  ...step("PUT /configurations?id={configuration}", {
    body: { records: { "checks/backup": { id: "{check}", digest: "0a1b2c3d" } } },
  }),
  ...step("PUT /configurations/{configuration}", {
    body: { records: { "checks/web": { id: "{web}", digest: "0a1b2c3e" } } },
  }),
  ...step("GET /info/status"),
  ...step("GET /info/probe"),
  ...step("GET /info/probe/local"),
  ...step("GET /info/location"),
  ...step("GET /info/location/eur"),
  ...step(`GET /schedules/preview?data=${encodeURIComponent(JSON.stringify(everyDay()))}`),
  ...step("PUT /branding", { body: { downsubject: "{label} is down" } }),
  ...step("GET /branding"),
  ...step("DELETE /branding"),
  ...step("POST /calendar"),
  ...step("GET /calendar"),
  ...step("DELETE /calendar"),
  ...step("POST /tokens", { body: { label: "graphs", access: "read" }, keep: { reader: "_id" } }),
  ...step("GET /tokens"),
  ...step("GET /tokens/{reader}"),
  ...step("GET /sessions?id={owner}"),
  ...step("GET /sessions/{owner}"),
  ...step("GET /sessions/current"),
  ...step("GET /secondfactors?id={owner}"),
  ...step("GET /secondfactors/{owner}"),
  ...step("GET /audit?limit=1"),
  ...removals(),
];

/** Open whenever it is asked. */
function everyDay(): object {
  const days = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
  return Object.fromEntries(days.map((day) => [day, { allday: true }]));
}

/** Each by the parameter, and by the path. */
function removals(): readonly Step[] {
  return [
    ...step("POST /tokens", { body: { label: "charts", access: "read" }, keep: { other: "_id" } }),
    ...step("DELETE /tokens?id={other}"),
    ...step("DELETE /tokens/{reader}"),
    ...step("POST /incidents", {
      body: { name: "Slow", text: "It is slow." },
      keep: { other: "_id" },
    }),
    ...step("DELETE /incidents?id={other}"),
    ...step("DELETE /incidents/{incident}"),
    ...step("POST /subscribers", {
      body: { page: "{page}", kind: "webhook", address: "{shop}/other" },
      keep: { other: "_id" },
    }),
    ...step("DELETE /subscribers?id={other}&page={page}"),
    ...step("DELETE /subscribers/{subscriber}?page={page}"),
    ...step("POST /statuspages", { body: { name: "Other" }, keep: { other: "_id" } }),
    ...step("DELETE /statuspages?id={other}"),
    ...step("DELETE /statuspages/{page}"),
    ...step("POST /maintenance/{maintenance}", {
      body: { name: "Backup", duration: 10, cron: "0 3 1 1 *", checklist: ["{check}"] },
    }),
    ...step("POST /maintenance", {
      body: { name: "Other", duration: 5, cron: "0 3 1 1 *", checklist: ["{check}"] },
      keep: { other: "#" },
    }),
    ...step("DELETE /maintenance?id={other}"),
    ...step("DELETE /maintenance/{maintenance}"),
    ...step("POST /configurations", { body: { name: "other" }, keep: { other: "_id" } }),
    ...step("DELETE /configurations?id={other}"),
    ...step("DELETE /configurations/{configuration}"),
    ...step("DELETE /importedhistories?id={check}"),
    ...step("DELETE /importedhistories/{web}"),
    ...step("DELETE /heartbeataliases?id={check}&alias={alias}"),
    ...step("DELETE /heartbeataliases/{check}"),
    ...step("POST /notificationprofiles", {
      body: { name: "Other", notifications: [] },
      keep: { other: "_id" },
    }),
    ...step("DELETE /notificationprofiles?id={other}"),
    ...step("DELETE /notificationprofiles/{profile}"),
    ...step("DELETE /schedules?id=Mornings"),
    ...step("DELETE /schedules/Office"),
    ...step("POST /contactgroups", {
      body: { name: "Other", members: [] },
      keep: { other: "_id" },
    }),
    ...step("DELETE /contactgroups?id={other}"),
    ...step("DELETE /contactgroups/{group}"),
    ...step("POST /contacts", {
      body: { name: "Other", newaddresses: [{ type: "webhook", address: "{shop}/other" }] },
      keep: { other: "_id" },
    }),
    ...step("DELETE /contacts?id={other}"),
    ...step("DELETE /contacts/{contact}"),
    ...step("DELETE /checks?id={web}"),
    ...step("DELETE /checks/{check}"),
    ...step("DELETE /checks/{check}"),
    ...step("POST /accounts", {
      body: {
        name: "Other",
        contactname: "Bob",
        email: "bob@example.com",
        timezone: "GMT",
        location: ["eur"],
      },
      keep: { other: "_id" },
    }),
    ...step("DELETE /accounts?id={other}"),
    ...step("DELETE /accounts/{subaccount}"),
  ];
}

function step(call: string, options: Omit<Step, "call"> = {}): readonly Step[] {
  return [{ call, ...options }];
}
