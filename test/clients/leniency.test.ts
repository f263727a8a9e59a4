import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createClientFixture, modes, plainJson, read, type ClientFixture } from "./fixture.ts";

/*
 * What clients of the original service do beyond the specification, by the number that each habit has in the list of defects:
 *
 * C1, C5  disableall with patterns, its counts    src/api/resources/checks/disable-all.test.ts
 * C2      firstdown as an integer, by the token   src/api/http/compatibility.test.ts, go.test.ts, terraform.test.ts
 * C3      what cannot work is kept                here: "kept as sent"
 * C4      the last owner of a subaccount          here: "deletes"
 * C6      the list of maintenances, POST by id    here: "maintenances"
 * C7      uptime, summary, diagnostics            here: "reads"
 * C8      spelling, intervals, locations          here: "writes"; scheduler.test.ts, staleness.test.ts
 * C10     Authorization: Bearer, no token         src/api/http/auth.test.ts
 */

// oxlint-disable-next-line typescript/no-explicit-any -- clients of languages without types look at what came
type Decoded = any;

interface Site extends ClientFixture {
  readonly call: (request: string, sent?: object) => Promise<Decoded>;
  readonly warningOf: (request: string) => Promise<string>;
}

const sites = new Map<string, Promise<Site>>();
after(async () => {
  for (const site of sites.values()) await (await site)[Symbol.asyncDispose]();
});

/** One for all tests of a mode. */
function siteOf(mode: (typeof modes)[number]): Promise<Site> {
  const known = sites.get(mode);
  if (known !== undefined) return known;
  const made = createClientFixture(mode).then((site): Site => {
    const headers = { ...plainJson, authorization: `Bearer ${site.token}` };
    return Object.assign(site, {
      call: async (request: string, sent: object = {}) =>
        read(await site.send(request, { headers, body: JSON.stringify(sent) })),
      warningOf: async (request: string) => {
        const [method = "", path = ""] = request.split(" ");
        const response = await fetch(`${site.base}/api/1/${path}`, { method, headers });
        return response.headers.get("x-watchpost-warning") ?? "";
      },
    });
  });
  sites.set(mode, made);
  return made;
}

const kept: readonly {
  readonly what: string;
  readonly request: string;
  readonly sent: object;
  readonly refusal: RegExp;
  readonly warning: RegExp;
  /** Returns the record that a client reads back. */
  readonly record: (record: Decoded) => unknown;
  readonly read: unknown;
}[] = [
  {
    what: "an unknown recipient",
    request: "POST checks",
    sent: { type: "PING", target: "a.example.com", notifications: [{ ABC12: "Days" }] },
    refusal: /^notifications: no such contact, address, group or profile "ABC12"$/,
    warning:
      /no such contact, address, group or profile "ABC12", kept as sent; .*nobody is alerted/,
    record: ({ notifications }) => notifications,
    read: [{ ABC12: { delay: 0, schedule: "Days" } }],
  },
  {
    what: "an unknown schedule",
    request: "POST checks",
    sent: { type: "PING", target: "a.example.com", notifications: [{ ABC12: "Never" }] },
    refusal: /^notifications: no such /,
    warning: /notifications: no such schedule "Never", kept as sent/,
    record: ({ notifications }) => notifications,
    read: [{ ABC12: { delay: 0, schedule: "Never" } }],
  },
  {
    what: "an unknown home location",
    request: "POST checks",
    sent: { type: "PING", target: "a.example.com", homeloc: "ld" },
    refusal: /^homeloc: no such location "ld"/,
    warning: /homeloc: no such location "ld", left out(;|$)/,
    record: ({ homeloc }) => homeloc,
    read: false,
  },
  {
    what: "unknown codes of locations",
    request: "POST checks",
    sent: { type: "PING", target: "a.example.com", runlocations: ["ld", "fra"] },
    refusal: /^runlocations: no such region or location "ld"$/,
    warning: /runlocations: no such region or location "ld", kept as sent/,
    record: ({ runlocations }) => runlocations,
    read: ["ld", "fra"],
  },
  {
    what: "a server name that is a URL",
    request: "POST checks",
    sent: { type: "SSL", target: "a.example.com", servername: "https://b.example.com/" },
    refusal: /^servername: must be a host name or an IP address/,
    warning: /servername: .* of this URL only "b\.example\.com" is used/,
    record: ({ parameters }) => parameters.servername,
    read: "https://b.example.com/",
  },
  ...["PING", "PORT"].map((type) => ({
    what: `a URL as the target of a ${type}`,
    request: "POST checks",
    sent: { type, target: "https://b.example.com/x", port: 443 },
    refusal: /^target: must be a host name or an IP address/,
    warning: /target: .* of this URL only "b\.example\.com" is used/,
    record: ({ parameters }: Decoded) => parameters.target,
    read: "https://b.example.com/x",
  })),
  {
    what: "a webhook without a scheme",
    request: "POST contacts",
    sent: { newaddresses: [{ type: "webhook", address: "example.com/hook" }] },
    refusal: /^newaddresses\.0\.address: must be a URL such as https/,
    warning: /address: must be a URL such as .*so nothing can be sent there/,
    record: ({ addresses }) =>
      Object.values<{ address: string }>(addresses).map(({ address }) => address),
    read: ["example.com/hook"],
  },
  ...[
    { type: "pagerduty", address: "e93facc04764012d7bfb-002500d5d1a6", service: "PagerDuty" },
    { type: "pushover", address: "uQiRzpo4DXghDmr9QzzfQu", service: "Pushover" },
  ].map(({ type, address, service }) => ({
    what: `a key of ${type} in another form`,
    request: "POST contacts",
    sent: { newaddresses: [{ type, address }] },
    refusal: /^newaddresses\.0\.address: must be an? .*key of 3\d letters and digits/,
    warning: new RegExp(
      `address: must be an? .*key of .*, kept as sent, so ${service} may refuse it`,
    ),
    record: ({ addresses }: Decoded) =>
      Object.values<{ address: string }>(addresses).map(({ address }) => address),
    read: [address],
  })),
  {
    what: "an unknown member of a group",
    request: "POST contactgroups",
    sent: { name: "G", members: ["ABC12"] },
    refusal: /^members: no such contact or address "ABC12"$/,
    warning: /^members: no such contact or address "ABC12", kept as sent$/,
    record: ({ members }) => members,
    read: ["ABC12"],
  },
];

for (const { what, request, sent, refusal, warning, record, read: wanted } of kept) {
  test(`legacy: ${what} is kept as sent, with a warning; standard: it is refused`, async () => {
    const strict = await siteOf("standard");
    assert.match((await strict.call(request, sent)).error, refusal);
    const { call } = await siteOf("legacy");
    const made = await call(request, sent);
    assert.match(made.warning, warning);
    assert.deepEqual(record(made), wanted);
    const path = `${request.split(" ")[1]}/${made._id}`;
    const before = await call(`GET ${path}`);
    assert.deepEqual(record(before), wanted);
    assert.equal("warning" in before, false);
    // Sent back whole it is what it was.
    assert.deepEqual(record(await call(`PUT ${path}`, before)), wanted);
  });
}

test("legacy: what no URL or key could be is refused all the same", async () => {
  const { call } = await siteOf("legacy");
  const keys = [{ type: "pagerduty", address: "http://example.com/key" }];
  assert.match(
    (await call("POST contacts", { newaddresses: keys })).error,
    /must be an integration/,
  );
  const newaddresses = [{ type: "webhook", address: "no address at all" }];
  assert.match((await call("POST contacts", { newaddresses })).error, /must be a URL/);
});

for (const mode of modes) {
  test(`${mode}: a client deletes the last owner of a subaccount, and not its own`, async () => {
    const { call, cast } = await siteOf(mode);
    const { bob, alice } = cast;
    const inside = { customerid: bob.account.id };
    const { _id, custrole } = await call(`GET contacts/${bob.contact.id}`, inside);
    assert.equal(custrole, "owner");
    assert.deepEqual(await call(`DELETE contacts/${_id}`, inside), { ok: true, id: _id });
    const own = await call(`DELETE contacts/${alice.contact.id}`);
    assert.equal(own.error, "Account must have at least one 'owner' contact.");
  });

  test(`${mode}: a client of maintenances reads the list, and changes one by POST`, async () => {
    const { call } = await siteOf(mode);
    const made = await call("POST maintenance", {
      name: "M",
      duration: 5,
      checklist: [],
      cron: "0 2 * * *",
    });
    const id = Object.keys(made).find((name) => made[name].duration === 5) ?? "";
    const changed = await call(`POST maintenance/${id}`, { name: "N" });
    assert.deepEqual([changed.ok, changed[id].name, changed[id].cron], [true, "N", "0 2 * * *"]);
    const list = await call("GET maintenance");
    const byId = mode === "legacy" ? list.schedules : list;
    assert.deepEqual(Object.keys(byId), [id]);
    assert.deepEqual(Object.keys(await call(`GET maintenance/${id}`)), [id]);
  });

  test(`${mode}: a client reads uptime with a check, by shifted days, and an hourly summary`, async () => {
    const { call, recordResult, cast, warningOf } = await siteOf(mode);
    const made = await call("POST checks", { type: "PING", target: "a.example.com", enabled: 1 });
    await recordResult(made._id);
    await recordResult(made._id, { passed: false });
    const { uptime } = await call(`GET checks/${made._id}?uptime=true&interval=days`);
    const day = new Date(cast.clock.now()).toISOString().slice(0, 10);
    assert.deepEqual(Object.keys(uptime), [day, "total"]);
    assert.equal(uptime[day].enabled, 2000);
    const list = await call("GET checks?uptime=1");
    assert.equal(list[made._id].uptime.total.enabled, 2000);
    // It is noon at GMT, so that twelve hours and a second before is the day before.
    const shifted = await call(`GET results/uptime/${made._id}?interval=days&offset=-13`);
    assert.deepEqual(Object.keys(shifted), ["2026-01-04", "total"]);
    assert.deepEqual(shifted.total, uptime.total);
    const hours = Object.values<Decoded>(await call(`GET results/summary/${made._id}`));
    assert.deepEqual(
      hours.map(({ count, passed, failed }) => [count, passed, failed]),
      [[2, 1, 1]],
    );
    assert.match(await warningOf(`GET results/${made._id}?intervall=days`), /intervall: not known/);
  });

  test(`${mode}: a client runs diagnostics on another target, of one type of record, and a ping`, async () => {
    const { call, warningOf } = await siteOf(mode);
    const made = await call("POST checks", { type: "PUSH" });
    const at = `diagnostics/${made._id}`;
    const [dig] = await call(`GET ${at}?tool=dig&target=b.example.com&dnstype=MX`);
    assert.deepEqual([dig.check_id, dig.findings[0].tool], [made._id, "lookup"]);
    const [ping] = await call(`GET ${at}?tool=ping&target=b.example.com&count=10`);
    assert.equal(ping.findings[0].tool, "ping");
    assert.match(await warningOf(`GET ${at}?tool=ping&count=10`), /^count: not known here/);
    for (const [query, error] of [
      ["tool=ping&target=a b", /^target: must be a host name/],
      ["target=b.example.com", /^tool: required with target$/],
      ["tool=ping&dnstype=MX", /^dnstype: only with the tool dig$/],
    ] as const)
      assert.match((await call(`GET ${at}?${query.replace(" ", "%20")}`)).error, error);
  });

  test(`${mode}: a client writes parts of a minute, its own spelling, and no locations`, async () => {
    const { call, cast, recordResult } = await siteOf(mode);
    for (const [interval, stored] of [
      [0.5, 0.5],
      ["0.25", 0.25],
      ["1", 1],
    ] as const) {
      const check = { type: "PING", target: "a.example.com", enabled: true, interval };
      const made = await call("POST checks", check);
      const shown = mode === "legacy" ? 1 : stored;
      assert.deepEqual([made.interval, made.intervalseconds], [shown, stored * 60]);
      assert.deepEqual(made.runlocations, []);
      assert.deepEqual(
        (await call(`PUT checks/${made._id}`, { runlocations: false })).runlocations,
        made.runlocations,
      );
      await recordResult(made._id);
      const [result] = await call(`GET results/${made._id}?limit=1`);
      assert.equal(result.i, String(shown));
    }
    for (const interval of [0.3, 0, "0.75", 1.5]) {
      const refused = await call("POST checks", { type: "PING", target: "a", interval });
      assert.match(refused.error, /^interval: must be a whole number .*or 0\.5 or 0\.25/);
    }
    const customerid = cast.bob.account.id;
    const quiet = await call("PUT accounts", { customerid, accountsupressall: "True" });
    assert.equal(quiet.accountsuppressall, true);
  });
}
