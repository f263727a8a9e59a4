import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createIds } from "../../kit/ids.ts";
import { recordFlip } from "../../store/transactions/record-flip.ts";
import { aResult } from "../../../test/record-builders.ts";
import { createApiFixture, plainCheck, type ApiFixture } from "../../../test/api-fixture.ts";
import { createResources } from "../registry.ts";
import { createWarnings } from "./warnings.ts";

const standard = await createApiFixture({ mails: true });
const legacy = await createApiFixture({ compatibility: "legacy", mails: true });
after(async () => {
  await standard[Symbol.asyncDispose]();
  await legacy[Symbol.asyncDispose]();
});

const day = { monday: { time1: "8:00", time2: "9:00" } };
const unknown = "planted: not known here, and ignored";

/** Lets a check of Alice's be down. */
async function fail({ store, alice, clock }: ApiFixture, id: string): Promise<void> {
  const found = await store.checks.find(alice.account.id, id);
  assert.ok(found);
  const { check } = found;
  const since = clock.now();
  const result = aResult(check.no, since, { revision: check.revision, passed: false });
  const flip = {
    check,
    from: undefined,
    to: "failing",
    since,
    confirmations: [],
  } as const;
  await store.write((tx) => recordFlip(tx, { ...flip, result }, createIds()));
}

/** A request for every operation, by its resource and action, and where its answer has the warning. */
const requests: readonly (readonly [request: string, parameters: object, isInBody: boolean])[] = [
  ["GET accounts", {}, false],
  ["GET accounts ?own", {}, true],
  ["PUT accounts", {}, true],
  [
    "POST accounts",
    { name: "N", contactname: "C", email: "c@example.com", timezone: 1, location: "eur" },
    true,
  ],
  ["DELETE accounts ?bob", {}, true],
  ["GET audit", {}, false],
  ["GET branding", {}, false],
  ["PUT branding", {}, true],
  ["DELETE branding", {}, true],
  ["GET calendar", {}, false],
  ["POST calendar", {}, true],
  ["DELETE calendar", {}, true],
  ["GET checks", {}, false],
  ["POST checks", plainCheck, true],
  ["GET checks ?check", {}, true],
  ["PUT checks ?check", {}, true],
  ["ACKNOWLEDGE checks ?check", {}, false],
  ["BULK checks", { checklist: [], mute: true }, false],
  ["RUN checks ?check", {}, false],
  ["TEST checks", plainCheck, false],
  ["GET configurations", {}, false],
  ["POST configurations", { name: "shop" }, true],
  ["PUT configurations ?configuration", {}, true],
  ["DELETE configurations ?configuration", {}, true],
  ["GET contactgroups", {}, false],
  ["POST contactgroups", {}, true],
  ["PUT contactgroups ?group", {}, true],
  ["DELETE contactgroups ?group", {}, true],
  ["GET contacts", {}, false],
  ["POST contacts", {}, true],
  ["PUT contacts ?contact", {}, true],
  ["RESETPASSWORD contacts ?contact", {}, false],
  ["TEST contacts ?contact", {}, false],
  ["GET dependents ?contact", {}, false],
  ["GET diagnostics ?check", {}, false],
  ["GET heartbeataliases", {}, false],
  ["POST heartbeataliases ?push", { address: "/api/push/tIgDC7WDq2" }, true],
  ["DELETE heartbeataliases ?push", {}, true],
  ["GET importedhistories", {}, false],
  [
    "POST importedhistories ?push",
    { origin: "gatus", known: [{ start: 1_700_000_000_000, end: 1_700_000_060_000 }] },
    true,
  ],
  ["DELETE importedhistories ?push", {}, true],
  ["GET imports", { origin: "gatus" }, false],
  ["POST imports ?check", { origin: "gatus", from: "core_backup" }, true],
  ["GET incidents", {}, false],
  ["POST incidents", { name: "Trouble" }, true],
  ["PUT incidents ?incident", { text: "Still" }, true],
  ["DELETE incidents ?incident", {}, true],
  ["PROBE info", {}, false],
  ["LOCATION info", {}, false],
  ["STATUS info", {}, false],
  ["FORMS info", {}, false],
  ["FORGET info ?location", {}, false],
  ["GET maintenance", {}, false],
  ["POST maintenance", { duration: 5, checklist: [], cron: "0 2 * * *" }, true],
  ["PUT maintenance ?maintenance", {}, true],
  ["DELETE maintenance ?maintenance", {}, true],
  ["GET notificationprofiles", {}, false],
  ["POST notificationprofiles", {}, true],
  ["PUT notificationprofiles ?profile", {}, true],
  ["DELETE notificationprofiles ?profile", {}, true],
  ["GET notifications", {}, false],
  ["GET results ?check", {}, false],
  ["UPTIME results ?check", {}, false],
  ["CURRENT results", {}, false],
  ["EVENTS results ?check", {}, false],
  ["SUMMARY results ?check", {}, false],
  ["HISTORY results ?check", {}, false],
  ["DAYS results ?check", {}, false],
  ["GET schedules", {}, false],
  ["GET schedules ?schedule", {}, false],
  ["PREVIEW schedules", { data: day }, false],
  ["POST schedules", { id: "Own", data: day }, true],
  ["PUT schedules ?schedule", { data: day }, true],
  ["DELETE schedules ?schedule", {}, true],
  ["GET secondfactors ?contact", {}, false],
  ["DELETE secondfactors ?contact", {}, true],
  ["GET sessions ?contact", {}, false],
  ["CURRENT sessions", {}, false],
  ["DELETE sessions ?contact", {}, true],
  ["GET statuses", {}, false],
  ["OVERVIEW statuses", {}, false],
  ["ACTIVITY statuses", {}, false],
  ["GET statuspages", {}, false],
  ["POST statuspages", { name: "Shop" }, true],
  ["PUT statuspages ?page", { name: "Store" }, true],
  ["GET subscribers ?subscriber", {}, true],
  ["POST subscribers", { kind: "webhook", address: "https://example.com/two" }, true],
  ["DELETE subscribers ?subscriber", {}, true],
  ["DELETE statuspages ?page", {}, true],
  ["RUNTIMES statuses ?check", {}, false],
  ["GET tokens", {}, false],
  ["POST tokens", { label: "laptop" }, true],
  ["GET tokens ?token", {}, true],
  ["DELETE tokens ?token", {}, true],
  ["GET updates", {}, false],
  ["DELETE contacts ?other", {}, true],
  ["DELETE checks ?check", {}, true],
];

test("a request for every operation is among those that are tried", () => {
  const tried = new Set(requests.map(([request]) => request.split(" ", 2).join(" ")));
  const all = createResources(standard.deps).flatMap(({ name, operations }) =>
    Object.keys(operations).map((action) => `${action} ${name}`),
  );
  assert.deepEqual(
    all.filter((each) => !tried.has(each)),
    [],
  );
});

for (const cast of [standard, legacy]) {
  const { compatibility: mode } = cast.deps;
  test(`${mode}: every operation names the parameter that it does not know, and takes no warning for a record`, async () => {
    const { ask, alice, bob } = cast;
    const made = async (resource: string, parameters: object): Promise<string> => {
      const { body } = await ask(alice, `POST /${resource}`, parameters);
      return body._id ?? Object.keys(body).find((key) => key !== "ok");
    };
    const ids: Readonly<Record<string, string>> = {
      own: alice.account.id,
      bob: bob.account.id,
      contact: alice.contact.id,
      schedule: "Days",
      location: "ny",
      check: await made("checks", { ...plainCheck, enabled: true }),
      push: await made("checks", { type: "PUSH", label: "Backup" }),
      other: await made("contacts", { custrole: "notify" }),
      group: await made("contactgroups", {}),
      token: await made("tokens", { label: "backup" }),
      configuration: await made("configurations", { name: "lent" }),
      page: await made("statuspages", { name: "All" }),
      incident: await made("incidents", { name: "Outage" }),
      subscriber: await made("subscribers", { kind: "webhook", address: "https://example.com/" }),
      profile: await made("notificationprofiles", {}),
      maintenance: await made("maintenance", { duration: 5, checklist: [], cron: "0 2 * * *" }),
    };
    await fail(cast, String(ids.check));
    await cast.store.write((tx) =>
      tx.locations.saw({ code: "ny", region: "nam", version: undefined }, cast.clock.now()),
    );
    for (const [request, parameters, isInBody] of requests) {
      const [action = "", resource = "", what = "?"] = request.split(" ");
      const id = ids[what.slice(1)];
      const sent = { action, ...parameters, ...(id !== undefined && { id }), planted: 1 };
      const answer = await ask(alice, `GET /${resource}`, sent);
      assert.equal(answer.status, 200, `${request}: ${answer.text}`);
      assert.match(String(answer.headers["x-watchpost-warning"]), new RegExp(unknown), request);
      assert.equal(answer.text.includes(unknown), isInBody, `${request}: ${answer.text}`);
      if (isInBody) assert.match(answer.body.warning, new RegExp(unknown), request);
    }
  });
}

const slips: readonly (readonly [request: string, parameters: object, warning: RegExp | null])[] = [
  ["POST checks", { ...plainCheck, thresold: 9 }, /^thresold: .*did you mean threshold\?/],
  ["POST checks", { ...plainCheck, intervall: 1 }, /^intervall: .*did you mean interval\?/],
  ["POST checks", { ...plainCheck, parameters: { sen: 1 } }, /^sen: .*did you mean sens\?/],
  ["POST checks", { ...plainCheck, statuscode: 200 }, /^statuscode: no parameter of a check of/],
  [
    "POST checks",
    { ...plainCheck, port: 81 },
    /^port: kept, without effect on a check of type HTTP/,
  ],
  ["POST checks", { type: "PUSH", checktoken: "mine" }, /^checktoken: assigned by Watchpost/],
  [
    "POST checks",
    { type: "PUSH", fields: { a: { name: "x", min: 1, maximum: 2 } } },
    /^fields\.maximum: not known here, and ignored(;|$)/,
  ],
  [
    "POST checks",
    { ...plainCheck, notifications: [{ CONTACT: { delay: 0, shedule: "Days" } }] },
    /^notifications\.shedule: .*did you mean notifications\.schedule\?/,
  ],
  [
    "POST contacts",
    { newaddresses: [{ type: "email", address: "a@example.com", supressup: true }] },
    /^newaddresses\.supressup: .*did you mean newaddresses\.suppressup\?/,
  ],
  [
    "POST contacts",
    { newaddresses: { 1: { type: "email", address: "a@example.com", supressup: true } } },
    /^newaddresses\.supressup: .*did you mean newaddresses\.suppressup\?$/,
  ],
  [
    "POST contacts",
    { addresses: { A4597: { type: "email", address: "a@example.com" } } },
    /^addresses: only shown, and ignored, did you mean newaddresses\?$/,
  ],
  ["POST contacts", { addresses: {} }, null],
  [
    "POST contacts",
    { newaddresses: [{ type: "email", address: "a@example.com", mute: 1_767_614_400 }] },
    /^mute: the end is in the past, in ms since 1970, so nothing is muted$/,
  ],
  ["POST contacts", { newaddresses: [{ address: "a@example.com", mute: true }] }, null],
  ["POST checks", { ...plainCheck, mute: "1767614400" }, /mute: the end is in the past/],
  ["POST contacts", { address: "a@example.com" }, /^address: not known here, and ignored$/],
  [
    "PUT schedules",
    { id: "Own", data: { monday: { time1: "8:00", time2: "9:00", allDay: true } } },
    /^data\.allDay: .*did you mean data\.allday\?$/,
  ],
  [
    "PUT accounts",
    { customer_name: "Other" },
    /^customer_name: only shown, and ignored, did you mean name\?$/,
  ],
  ["PUT accounts", { customer_name: "Alice" }, null],
  ["GET checks", { label: "x" }, /^label: not known here/],
  ["GET checks", { interval: "days" }, /^interval: only with uptime/],
  [
    "GET checks",
    { "\u00e9\r\nx-injected: 1": 1 },
    /^"\\u00e9\\r\\nx-injected: 1": not known here, and ignored$/,
  ],
];

/** Warnings that precede it, for a disabled check without recipients. */
const willNotWork =
  /^(?:notifications: nobody is alerted of this check; )?(?:enabled: the check is off, and runs only with enabled true; )?/;

for (const [request, parameters, warning] of slips) {
  test(`${request} with ${JSON.stringify(parameters)} ${warning === null ? "warns of nothing" : "says what was ignored"}`, async () => {
    const { ask, alice } = standard;
    const [verb = "", resource = ""] = request.split(" ");
    const sent = JSON.parse(JSON.stringify(parameters).replace("CONTACT", alice.contact.id));
    const { status, headers, text } = await ask(alice, `${verb} /${resource}`, {
      ...sent,
      action: verb,
    });
    assert.equal(status, 200, text);
    const said = headers["x-watchpost-warning"];
    if (warning === null) assert.equal(said, undefined);
    else assert.match(String(said).replace(willNotWork, ""), warning);
    assert.equal("x-injected" in headers, false);
  });
}

test("a record that is sent back whole has no warning about its own members", async () => {
  const { ask, alice } = standard;
  const notifications = [{ [alice.contact.id]: { delay: 0, schedule: "All" } }];
  const { body: made } = await ask(alice, "POST /checks", {
    ...plainCheck,
    enabled: true,
    notifications,
  });
  const { body: read } = await ask(alice, `GET /checks/${made._id}`, { lastresult: true });
  const { headers } = await ask(alice, "PUT /checks", { ...read, id: made._id });
  assert.equal(headers["x-watchpost-warning"], undefined);
  for (const path of [`contacts/${alice.contact.id}`, `accounts/${alice.account.id}`]) {
    const { body } = await ask(alice, `GET /${path}`);
    const back = await ask(alice, `PUT /${path}`, body);
    assert.equal(back.headers["x-watchpost-warning"], undefined, path);
  }
});

test("of very many warnings ten are shown, and how many more there are", () => {
  const warnings = createWarnings();
  assert.equal(warnings.line(), undefined);
  for (let count = 0; count < 12; count += 1) warnings.add(`w${count}`);
  warnings.add("w0");
  assert.match(warnings.line() ?? "", /^w0; .*; w9; and 2 more$/);
});

test("what keeps a check from running or alerts from arriving comes before what is only ignored", async () => {
  const { body } = await standard.ask(standard.alice, "POST /checks", {
    ...plainCheck,
    enabled: false,
    planted: 1,
  });
  assert.equal(
    body.warning,
    `notifications: nobody is alerted of this check; enabled: the check is off, and runs only with enabled true; ${unknown}`,
  );
  const warnings = createWarnings();
  for (let count = 0; count < 12; count += 1) warnings.add(`w${count}`);
  warnings.add("blocked", "grave");
  assert.match(warnings.line() ?? "", /^blocked; w0; .*; w8; and 3 more$/);
});
