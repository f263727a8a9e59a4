import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createApiFixture, plainCheck } from "../../../test/api-fixture.ts";

const port = { type: "PORT", target: "h.example", port: 80 };
const push = { type: "PUSH" };
const week = (data: unknown): object => ({ id: "Mine", data });
const mail = { address: "one@example.com", type: "email" };
const hook = { address: "https://hooks.example/", type: "webhook" };

/** Each is refused with 400 and a sentence that begins so. */
const rows: readonly (readonly [request: string, parameters: object, begins: string])[] = [
  ["POST /checks", { target: "http://a.example/" }, "type: required"],
  [
    "POST /checks",
    { ...plainCheck, type: "TELNET" },
    "type: must be one of AUDIO, DNS, FTP, HTTP, HTTPADV, HTTPCONTENT, ",
  ],
  ["POST /checks", { ...plainCheck, type: "__proto__" }, "type: "],
  ["POST /checks", { ...plainCheck, type: 5 }, "type: "],
  ["POST /checks", { ...plainCheck, type: ["HTTP"] }, "type: "],
  ["POST /checks", { type: "HTTP" }, "A target is required."],
  ["POST /checks", { type: "HTTP", target: "" }, "A target is required."],
  ["POST /checks", { type: "HTTP", target: null }, "A target is required."],
  ["POST /checks", { ...plainCheck, target: 5 }, "target: "],
  ["POST /checks", { ...plainCheck, target: ["http://a.example/"] }, "target: "],
  ["POST /checks", { ...plainCheck, target: "a.example" }, "target: "],
  ["POST /checks", { ...plainCheck, target: "ftp://a.example/" }, "target: "],
  ["POST /checks", { ...plainCheck, target: "file:///etc/passwd" }, "target: "],
  ["POST /checks", { ...plainCheck, target: "http://" }, "target: "],
  ["POST /checks", { ...plainCheck, target: "http://a b/" }, "target: "],
  ["POST /checks", { ...plainCheck, target: "http://a.example/\r\nX: y" }, "target: "],
  ["POST /checks", { ...plainCheck, target: `http://a.example/${"x".repeat(8000)}` }, "target: "],
  ["POST /checks", { ...plainCheck, follow: "maybe" }, "follow: "],
  ["POST /checks", { ...plainCheck, follow: { a: 1 } }, "follow: "],
  ["POST /checks", { ...plainCheck, ipv6: [] }, "ipv6: "],
  ["POST /checks", { ...plainCheck, verify: { a: 1 } }, "verify: "],
  ["POST /checks", { ...plainCheck, contentstring: "x".repeat(10_001) }, "contentstring: "],
  ["POST /checks", { ...plainCheck, label: 5 }, "label: "],
  ["POST /checks", { ...plainCheck, label: "x".repeat(1001) }, "label: "],
  [
    "POST /checks",
    { ...plainCheck, interval: 0 },
    "interval: must be a whole number from 1 to 525600",
  ],
  ["POST /checks", { ...plainCheck, interval: -5 }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: 1e15 }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: "99999999999999999999" }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: 1.5 }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: "NaN" }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: "1e3" }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: true }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: [15] }, "interval: "],
  ["POST /checks", { ...plainCheck, interval: {} }, "interval: "],
  [
    "POST /checks",
    { ...plainCheck, threshold: 0 },
    "threshold: must be a whole number from 1 to 90",
  ],
  ["POST /checks", { ...plainCheck, threshold: 91 }, "threshold: "],
  ["POST /checks", { ...plainCheck, sens: -1 }, "sens: must be a whole number from 0 to 20"],
  ["POST /checks", { ...plainCheck, sens: 21 }, "sens: "],
  ["POST /checks", { ...plainCheck, enabled: "perhaps" }, "enabled: "],
  ["POST /checks", { ...plainCheck, enabled: "constructor" }, "enabled: "],
  ["POST /checks", { ...plainCheck, enable: 2 }, "enable: "],
  ["POST /checks", { ...plainCheck, public: [] }, "public: "],
  [
    "POST /checks",
    { ...plainCheck, runlocations: "mars" },
    'runlocations: no such region or location "mars"',
  ],
  ["POST /checks", { ...plainCheck, runlocations: [1] }, "runlocations: "],
  ["POST /checks", { ...plainCheck, runlocations: true }, "runlocations: "],
  ["POST /checks", { ...plainCheck, runlocations: "[" }, "runlocations: malformed JSON"],
  ["POST /checks", { ...plainCheck, notifications: 5 }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: "All" }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: ["x"] }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: [{ x: null }] }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: [{ x: { schedule: 5 } }] }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: [{ x: { delay: -1 } }] }, "notifications: "],
  ["POST /checks", { ...plainCheck, notifications: [{ x: { delay: "soon" } }] }, "notifications: "],
  [
    "POST /checks",
    { ...plainCheck, notifications: [{ nobody: "All" }] },
    'notifications: no such contact, address, group or profile "nobody"',
  ],
  ["POST /checks", { ...plainCheck, notifications: '[{"constructor":"All"}]' }, "notifications: "],
  ["POST /checks", { ...plainCheck, parameters: [1] }, "parameters: "],
  ["POST /checks", { ...plainCheck, parameters: { threshold: -1 } }, "threshold: "],
  ["POST /checks", { type: "PORT", target: "h.example" }, "port: "],
  ["POST /checks", { ...port, port: 0 }, "port: "],
  ["POST /checks", { ...port, port: 65_536 }, "port: "],
  ["POST /checks", { ...port, port: "http" }, "port: "],
  ["POST /checks", { ...port, target: "h example" }, "target: "],
  ["POST /checks", { ...port, target: `${"h".repeat(250)}.example` }, "target: "],
  ["POST /checks", { ...port, target: "-oProxyCommand=x; rm -rf /" }, "target: "],
  ["POST /checks", { ...push, fields: ["a"] }, "fields: must be an object"],
  ["POST /checks", { ...push, fields: "text" }, "fields: must be an object"],
  ["POST /checks", { ...push, fields: { a: "text" } }, "fields"],
  ["POST /checks", { ...push, fields: { a: {} } }, "fields"],
  ["POST /checks", { ...push, fields: { a: { name: "a", min: "low" } } }, "fields"],
  ["POST /checks", { ...push, fields: '{"__proto__":{"name":"a"}}' }, "fields: "],
  [
    "POST /checks",
    { ...push, fields: { a: { name: "a", note: "x".repeat(70_000) } } },
    "fields: the parameters of a check may have 65536 characters of JSON in all",
  ],
  ["POST /checks", { ...push, oldresultfail: "x" }, "oldresultfail: "],
  ["PUT /checks", { label: "x" }, "id: required"],
  ["PUT /checks", { id: ["a"], label: "x" }, "id: "],
  ["PUT /checks", { disableall: "perhaps" }, "disableall: "],
  ["DELETE /checks", {}, "id: required"],
  ["GET /checks", { id: [1] }, "id: "],
  ["GET /checks", { lastresult: "x" }, "lastresult: "],
  ["GET /checks", { current: {} }, "current: "],
  ["GET /checks", { customerid: ["a"] }, "customerid: "],
  ["GET /checks", { id: { a: "b" } }, "id: "],
  ["POST /contacts", { name: ["x"] }, "name: "],
  ["POST /contacts", { name: "x".repeat(256) }, "name: "],
  ["POST /contacts", { custrole: "king" }, "custrole: must be one of owner, edit, view, notify"],
  ["POST /contacts", { newaddresses: "one@example.com" }, "newaddresses: must be a list"],
  ["POST /contacts", { newaddresses: { address: "x" } }, "newaddresses: must be a list"],
  ["POST /contacts", { newaddresses: ["one@example.com"] }, "newaddresses.0: must be an object"],
  ["POST /contacts", { newaddresses: [mail, null] }, "newaddresses.1: must be an object"],
  ["POST /contacts", { newaddresses: ["{"] }, "newaddresses.0: malformed JSON"],
  ["POST /contacts", { newaddresses: [{ type: "email" }] }, "newaddresses.0.address: required"],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, address: 5 }] },
    "newaddresses.0.address: must be text",
  ],
  [
    "POST /contacts",
    { newaddresses: [mail, { ...mail, address: "no mailbox" }] },
    "newaddresses.1.address: must be one mailbox",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, address: "a@b.example\r\nBcc: c@d.example" }] },
    "newaddresses.0.address: ",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, address: "ftp://x" }] },
    "newaddresses.0.address: ",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, address: "https://{label}.example/" }] },
    "newaddresses.0.address: must be a URL",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, type: "HipChat" }] },
    "newaddresses.0.type: hipchat is gone",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, type: "fax" }] },
    "newaddresses.0.type: must be one of email, twitter, sms, webhook, voice, slack,",
  ],
  ["POST /contacts", { newaddresses: [{ address: "x" }] }, "newaddresses.0.type: required"],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, suppressup: "x" }] },
    "newaddresses.0.suppressup: must be true or false",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...mail, mute: -5 }] },
    "newaddresses.0.mute: must be true",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, action: "patch" }] },
    "newaddresses.0.action: must be one of get, put, post, head, delete",
  ],
  ["POST /contacts", { newaddresses: [{ ...hook, headers: ["a"] }] }, "newaddresses.0.headers: "],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, headers: { a: ["b"] } }] },
    "newaddresses.0.headers: must be an object of names to texts",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, headers: '{"a' }] },
    "newaddresses.0.headers: malformed JSON",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, headers: { Host: "evil.example" } }] },
    "newaddresses.0.headers: cannot be set",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, headers: { a: "b\r\nc: d" } }] },
    "newaddresses.0.headers: must be one line",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, querystrings: { a: "{if label}" } }] },
    "newaddresses.0.querystrings: {if label} must be closed",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, data: 5 }] },
    "newaddresses.0.data: must be text, an object or a list",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ ...hook, data: "x".repeat(16_385) }] },
    "newaddresses.0.data: must be text, an object or a list, of at most 16384 characters",
  ],
  [
    "POST /contacts",
    { newaddresses: [{ address: "u".repeat(30), type: "pushover", priority: 3 }] },
    "newaddresses.0.priority: must be a whole number from -2 to 2",
  ],
  [
    "POST /contacts",
    { newaddresses: Array.from({ length: 101 }, () => mail) },
    "newaddresses: must be a list of at most 100 entries",
  ],
  ["PUT /contacts", { name: "x" }, "id: required"],
  ["DELETE /contacts", {}, "id: required"],
  ["PUT /schedules", week(undefined), "data: required"],
  ["PUT /schedules", { data: {} }, "id: required"],
  ["PUT /schedules", week([{}]), "data: must be an object"],
  ["PUT /schedules", week("monday"), "data: must be an object"],
  ["PUT /schedules", week({ moonday: {} }), "data: must name days from monday to sunday"],
  ["PUT /schedules", week({ Monday: {} }), "data: must name days"],
  ["PUT /schedules", week({ monday: "8:00" }), "data.monday: must be an object"],
  ["PUT /schedules", week({ monday: [1] }), "data.monday: must be an object"],
  ["PUT /schedules", week({ monday: "{" }), "data.monday: malformed JSON"],
  ["PUT /schedules", week({ monday: { time1: "25:00" } }), "data.monday.time1: must be a time"],
  ["PUT /schedules", week({ monday: { time2: "noon" } }), "data.monday.time2: must be a time"],
  ["PUT /schedules", week({ monday: { time2: 8 } }), "data.monday.time2: must be a time"],
  [
    "PUT /schedules",
    week({ monday: { exclude: 2 } }),
    "data.monday.exclude: must be true or false",
  ],
  ["PUT /schedules", week({ monday: { disabled: [] } }), "data.monday.disabled: "],
  ["PUT /schedules", week({ monday: { allday: "x" } }), "data.monday.allday: "],
  ["PUT /schedules/All", { data: {} }, 'id: always open and not to be changed "All"'],
  ["PUT /schedules/all%20the%20time", { data: {} }, "id: always open"],
  ["PUT /schedules/None", { data: {} }, 'id: takes recipients from a check, no schedule "None"'],
  ["PUT /schedules/__proto__", { data: {} }, "id: "],
  ["PUT /schedules/a%0D%0Ab", { data: {} }, "id: must be a name of at most 100 printable"],
  [`PUT /schedules/${"x".repeat(101)}`, { data: {} }, "id: "],
  ["PUT /schedules", { id: "\ud800", data: {} }, "id: must be a name of at most 100 printable"],
  ["DELETE /schedules", {}, "id: required"],
  ["POST /contactgroups", { name: 5 }, "name: "],
  ["POST /contactgroups", { name: "x".repeat(256) }, "name: "],
  ["PUT /contactgroups", { name: "x" }, "id: required"],
  ["DELETE /contactgroups", {}, "id: required"],
  ["POST /notificationprofiles", { name: ["x"] }, "name: "],
  ["POST /notificationprofiles", { notifications: "All" }, "notifications: must be a list"],
  ["POST /notificationprofiles", { notifications: [{ x: null }] }, "notifications: must be a"],
  ["PUT /notificationprofiles", { name: "x" }, "id: required"],
  ["DELETE /notificationprofiles", {}, "id: required"],
  ["GET /results", {}, "id: required"],
  ["GET /results/x", { span: 0 }, "span: "],
  ["GET /results/x", { span: "x" }, "span: "],
  ["GET /results/x", { limit: 0 }, "limit: "],
  ["GET /results/x", { limit: -1 }, "limit: "],
  ["GET /results/x", { limit: 1.5 }, "limit: "],
  ["GET /results/x", { start: "yesterday" }, "start: "],
  ["GET /results/x", { end: "2026-02-30" }, "end: "],
  ["GET /results/x", { end: {} }, "end: "],
  ["GET /results/x", { span: 1, start: 5 }, "span: not to be used with start or end"],
  ["GET /results/x", { clean: "x" }, "clean: "],
  ["GET /results/uptime", {}, "id: required"],
  ["GET /results/uptime/x", { interval: "weeks" }, "interval: must be one of days, months"],
  ["GET /results/uptime/x", { start: "now" }, "start: "],
  ["GET /notifications", { span: -1 }, "span: "],
  ["GET /notifications", { limit: "all" }, "limit: "],
  ["GET /notifications", { subaccounts: "x" }, "subaccounts: "],
  ["GET /notifications", { dropped: [1] }, "dropped: "],
  ["GET /accounts", { customerid: { a: 1 } }, "customerid: "],
];

test("what cannot be taken is refused with a sentence that names the parameter", async (context) => {
  await using cast = await createApiFixture();
  for (const [request, parameters, begins] of rows) {
    await context.test(
      `${request} ${JSON.stringify(parameters).slice(0, 90)}: ${begins}`,
      async () => {
        const { status, body } = await cast.ask(cast.alice, request, parameters);
        assert.equal(status, 400, JSON.stringify(body));
        assert.equal(body.error.slice(0, begins.length), begins);
      },
    );
  }
  assert.equal((await cast.ask(cast.alice, "GET /checks")).text, "{}");
  assert.equal(Object.keys((await cast.ask(cast.alice, "GET /contacts")).body).length, 1);
});

test("contacts, addresses and schedules of another account are unknown to a check", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.carol, "PUT /schedules/Carols", { data: { monday: { allday: true } } });
  const { contact } = cast.carol;
  for (const id of [contact.id, contact.addresses[0]?.id ?? "", cast.bob.contact.id]) {
    const { status, body } = await cast.ask(cast.alice, "POST /checks", {
      ...plainCheck,
      notifications: [{ [id]: "All" }],
    });
    assert.deepEqual(
      [status, body],
      [400, { error: `notifications: no such contact, address, group or profile "${id}"` }],
    );
  }
  const { body } = await cast.ask(cast.alice, "POST /checks", {
    ...plainCheck,
    notifications: [{ [cast.alice.contact.id]: "Carols" }],
  });
  assert.deepEqual(body, { error: 'notifications: no such schedule "Carols"' });
});

test("an address of another contact is no address of this one", async () => {
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [mail] });
  const foreign = cast.alice.contact.addresses[0]?.id ?? "";
  for (const addresses of [{ [foreign]: {} }, { MISSING1: {} }]) {
    const { status, body } = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, { addresses });
    assert.deepEqual(
      [status, body],
      [400, { error: `addresses: no such address "${Object.keys(addresses)[0]}"` }],
    );
  }
  const own = Object.keys(made.addresses)[0] ?? "";
  for (const entry of ["two@example.com", ["x"], null]) {
    const { status, body } = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, {
      addresses: { [own]: entry },
    });
    assert.equal(status, 400);
    assert.equal(body.error, `addresses.${own}: must be an object`);
  }
});

const resources = [
  "accounts",
  "checks",
  "contacts",
  "contactgroups",
  "notificationprofiles",
  "schedules",
  "results",
  "notifications",
  "results/uptime",
  "results/current",
];
const names = [
  "id",
  "customerid",
  "type",
  "target",
  "label",
  "interval",
  "enabled",
  "public",
  "runlocations",
  "threshold",
  "sens",
  "notifications",
  "parameters",
  "fields",
  "port",
  "follow",
  "checktoken",
  "disableall",
  "name",
  "custrole",
  "addresses",
  "newaddresses",
  "members",
  "data",
  "span",
  "limit",
  "start",
  "end",
  "clean",
  "lastresult",
  "current",
  "action",
  "json",
];
const values = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      "HTTP",
      "PORT",
      "PUSH",
      "http://a.example/",
      "[]",
      "{}",
      '{"a":{"name":"b"}}',
      "true",
      5,
      "5",
      "All",
      "reset",
      "now",
    ),
  },
  { weight: 2, arbitrary: fc.anything({ withNullPrototype: false, maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ noUnicodeString: false }) },
);

test("no input at all makes an internal error", async () => {
  await using cast = await createApiFixture();
  const { body: check } = await cast.ask(cast.alice, "POST /checks", plainCheck);
  const known = fc.constantFrom(
    "",
    check._id,
    cast.alice.contact.id,
    "Days",
    cast.alice.account.id,
    "missing",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        verb: fc.constantFrom("GET", "POST", "PUT"),
        resource: fc.constantFrom(...resources),
        segment: fc.oneof(known, fc.string()),
      }),
      fc.dictionary(
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()),
        values,
        { maxKeys: 8 },
      ),
      async ({ verb, resource, segment }, parameters) => {
        const body = Object.fromEntries(
          Object.entries(parameters).filter(([, value]) => isJson(value)),
        );
        const { status, text } = await cast.ask(
          cast.alice,
          `${verb} /${resource}/${encodeURIComponent(segment.toWellFormed())}`,
          body,
        );
        assert.ok(status < 500, text);
        if (status !== 200) assert.match(text, /^\{"error":".+"\}$/);
      },
    ),
    { numRuns: 400 },
  );
});

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
