import type { ApiFixture, Person } from "../api-fixture.ts";

/** Gives somebody a little of everything that an account can have. */
export async function seedAccount(cast: Pick<ApiFixture, "ask">, who: Person): Promise<void> {
  const make = async (request: string, parameters: object): Promise<string> => {
    const { status, body, text } = await cast.ask(who, request, parameters);
    if (status !== 200) throw new Error(`${request}: ${text}`);
    return body._id ?? body.id;
  };
  await make("PUT /schedules", {
    id: "Office hours",
    data: { monday: { time1: "8:30", time2: "17:00" }, friday: { allday: "true" } },
  });
  await cast.ask(who, "PUT /branding", {
    from: "Shop",
    downsubject: "{label} is down",
    downtext: "{m}\nsince {checktime}",
    upsubject: "{label} is up",
    uptext: "after {downtime} minutes",
    firstsubject: "{label}: {event}",
    firsttext: "{label}",
    welcome: "{password}",
  });
  const { body: olga } = await cast.ask(who, "POST /contacts", {
    name: "Olga",
    custrole: "notify",
    newaddresses: [
      { type: "email", address: "olga@example.com", suppressup: true },
      {
        type: "webhook",
        address: "https://hooks.example.com/x?t={label}",
        action: "PUT",
        headers: { "x-secret": "s3cret" },
        data: { text: "{event}" },
        mute: 1_800_000_000_000,
      },
    ],
  });
  const [mailbox = ""] = Object.keys(olga.addresses);
  const night = await make("POST /contacts", { name: "Night shift", custrole: "edit" });
  const group = await make("POST /contactgroups", { name: "On call", members: [mailbox, night] });
  const profile = await make("POST /notificationprofiles", {
    name: "Escalation",
    notifications: [
      { [group]: { schedule: "Office hours", delay: 0 } },
      { [olga._id]: { schedule: "All", delay: 15 } },
    ],
  });
  const router = await make("POST /checks", {
    type: "PORT",
    target: "router.example.com",
    port: 22,
    label: "Router",
    enabled: true,
  });
  await make("POST /checks", {
    type: "HTTP",
    target: "http://example.com",
    label: "Shop",
    interval: 1,
    enabled: "true",
    sens: 3,
    dep: router,
    tags: ["web", "money"],
    description: "Ask Olga",
    runlocations: ["eur"],
    notifications: [{ [profile]: "All" }, { [mailbox]: { schedule: "Nights", delay: "5" } }],
  });
  await make("POST /statuspages", {
    name: "Our routers",
    language: "de",
    color: "#1d4ed8",
    timezone: "Europe/Berlin",
    intro: "How they are.",
    subscribe: false,
    outageincidents: "draft",
    outagedelay: 7,
    sections: [{ name: "All", checks: [{ id: router, name: "The one" }] }],
  });
  await make("POST /maintenance", {
    name: "Router updates",
    duration: 30,
    cron: "30 2 * * 0",
    checklist: [router],
  });
  await make("POST /checks", {
    type: "PUSH",
    label: "Backup",
    interval: 1440,
    oldresultfail: "true",
    fields: { size: { name: "backup.gigabytes", min: 1, max: "9" } },
    notifications: [{ [group]: "Office hours" }],
    mute: true,
    public: true,
  });
}
