import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import type { ApiFixture } from "../../../test/api-fixture.ts";
import { commandLine, exportAccount, importDocument } from "../../../test/command-line.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";
import type { Document } from "../configuration/document.ts";

/** What Alice has, with something else in place of some of it. */
async function alices(cast: ApiFixture, changes: object): Promise<Document> {
  return { ...(await exportAccount(cast, cast.alice)), ...changes };
}

const aCheck = (label: string, more: object = {}): object => ({
  type: "HTTP",
  label,
  parameters: { target: "http://example.com" },
  notifications: [],
  ...more,
});

const nothingToDo = /^nothing to do, all \d+ are unchanged\.$/m;

test("a document written by hand, with ids and forms of its own, is taken and settles", async () => {
  await using cast = await createApiFixture();
  const document = await alices(cast, {
    contacts: {
      me: {
        name: "Me",
        custrole: "notify",
        addresses: {
          mail: { type: "email", address: " me@example.com ", suppressup: "yes" },
          work: { type: "email", address: "work@example.com" },
        },
      },
    },
    contactgroups: { team: { name: "All", members: ["mail", "me", "mail"] } },
    // Called like one of the records.
    schedules: { team: { sunday: { allday: true } } },
    checks: {
      web: aCheck("Web", {
        type: "http",
        enabled: "yes",
        interval: "5",
        tags: "a, b",
        homeloc: "FRA",
        notifications: [{ team: "All", mail: { schedule: "None" } }],
      }),
      web2: aCheck("Web", { dep: "web" }),
    },
  });
  const first = await importDocument(cast, { who: cast.alice, document });
  assert.equal(first.err, "");
  assert.match(first.out, /^5 created, 0 changed, 0 deleted, /m);
  const { contacts, contactgroups, checks, schedules } = await exportAccount(cast, cast.alice);
  assert.ok(Object.hasOwn(schedules, "team"));
  const [group] = Object.values(contactgroups);
  const [, me] = Object.entries(contacts);
  assert.deepEqual(group?.members, [Object.keys(me?.[1].addresses ?? {})[0], me?.[0]]);
  const [one, two] = Object.entries(checks);
  assert.deepEqual(
    [one?.[1].enabled, one?.[1].interval, one?.[1].tags, one?.[1].parameters.target],
    ["active", 5, ["a", "b"], "http://example.com/"],
  );
  assert.deepEqual(one?.[1].notifications, [{ [Object.keys(contactgroups)[0] ?? ""]: "All" }]);
  assert.equal(two?.[1].dep, one?.[0]);
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  const addresses = Object.entries(document.contacts.me?.addresses ?? {}).toReversed();
  Object.assign(document.contacts.me ?? {}, { addresses: Object.fromEntries(addresses) });
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  const team = { monday: { time1: "8:00", time2: "9:00" } };
  const changed = { ...document, schedules: { team } };
  assert.equal((await importDocument(cast, { who: cast.alice, document: changed })).err, "");
  assert.deepEqual((await exportAccount(cast, cast.alice)).schedules.team, team);
});

test("a document may name what only the account has, unless that is to be pruned", async () => {
  await using cast = await createApiFixture();
  const { name, days } = { name: "Mine", days: { monday: { allday: true } } };
  await cast.ask(cast.alice, "PUT /schedules", { id: name, data: days });
  const contact = cast.alice.contact.id;
  const { schedules } = await exportAccount(cast, cast.alice);
  const { [name]: _, ...others } = schedules;
  const document = await alices(cast, {
    contacts: {},
    schedules: others,
    contactgroups: { g: { name: "Group", members: [contact] } },
    checks: { c: aCheck("C", { notifications: [{ [contact]: name }] }) },
  });
  const dry = await importDocument(cast, { who: cast.alice, document }, "--prune", "--dry-run");
  assert.equal(dry.err.match(/^! /gm)?.length, 2);
  assert.equal((await importDocument(cast, { who: cast.alice, document })).err, "");
  const { checks, contactgroups } = await exportAccount(cast, cast.alice);
  assert.deepEqual(Object.values(checks)[0]?.notifications, [{ [contact]: name }]);
  assert.deepEqual(Object.values(contactgroups)[0]?.members, [contact]);
});

test("checks are made after those they depend on, in whatever order they stand, and may turn around", async () => {
  await using cast = await createApiFixture();
  const chain = { a: aCheck("A", { dep: "b" }), b: aCheck("B", { dep: "c" }), c: aCheck("C") };
  const turned = {
    c: aCheck("C", { dep: "b" }),
    b: aCheck("B", { dep: "a" }),
    a: aCheck("A", { dep: false }),
  };
  for (const [checks, expected] of [
    [chain, ["AB", "BC", "C"]],
    [turned, ["A", "BA", "CB"]],
  ] as const) {
    const document = await alices(cast, { checks });
    assert.equal((await importDocument(cast, { who: cast.carol, document })).err, "");
    const there = (await exportAccount(cast, cast.carol)).checks;
    const labels = Object.values(there).map(
      ({ label, dep }) => `${label}${there[String(dep)]?.label ?? ""}`,
    );
    assert.deepEqual(labels.toSorted(), expected);
    assert.match((await importDocument(cast, { who: cast.carol, document })).out, nothingToDo);
  }
});

test("what a document refers to and nobody has is left out with a warning, and stays where it is", async () => {
  await using cast = await createApiFixture();
  const ask = (request: string, parameters: object) => cast.ask(cast.alice, request, parameters);
  const gone = (await ask("POST /contacts", { name: "Gone" })).body._id;
  await ask("PUT /schedules", { id: "Gone", data: {} });
  await ask("POST /contactgroups", { name: "Group", members: [gone, cast.alice.contact.id] });
  const main = (await ask("POST /checks", { type: "PUSH", label: "Main" })).body._id;
  const notifications = [{ [gone]: "All" }, { [cast.alice.contact.id]: "Gone" }];
  await ask("POST /checks", { type: "PUSH", label: "Check", notifications, dep: main });
  await ask("DELETE /contacts", { id: gone });
  await ask("DELETE /schedules", { id: "Gone" });
  await ask("DELETE /checks", { id: main });
  const document = await exportAccount(cast, cast.alice);
  const own = await importDocument(cast, { who: cast.alice, document });
  assert.match(own.out, nothingToDo);
  assert.equal(own.err, "");
  const { code, err } = await importDocument(cast, { who: cast.carol, document });
  assert.equal(code, 0);
  assert.deepEqual(
    err.split("\n").map((line) => line.replaceAll(/"2026[-\w]+"/g, "ID")),
    [
      '! contact group "Group": nothing has the id ID, so the reference is dropped',
      '! check "Check": nothing has the id ID, so the reference is dropped',
      '! check "Check": there is no schedule "Gone", so All is used',
      '! check "Check": nothing has the id ID, so the reference is dropped',
      "",
    ],
  );
  const { checks } = await exportAccount(cast, cast.carol);
  const [alice = ""] = Object.keys((await exportAccount(cast, cast.carol)).contacts).slice(-1);
  assert.deepEqual(Object.values(checks)[0]?.notifications, [{ [alice]: "All" }]);
  assert.match((await importDocument(cast, { who: cast.carol, document })).out, nothingToDo);
});

test("addresses are told apart by id, then by kind and address; others go with --prune alone", async () => {
  await using cast = await createApiFixture();
  const own = await exportAccount(cast, cast.alice);
  const [id = ""] = Object.keys(own.contacts);
  const [mail = ""] = Object.keys(own.contacts[id]?.addresses ?? {});
  const document = await alices(cast, {
    contacts: {
      [id]: {
        name: "Alice",
        custrole: "owner",
        addresses: {
          elsewhere: { type: "email", address: "alice@example.com", suppressdown: true },
          other: { type: "sms", address: "+441234567" },
        },
      },
    },
  });
  const first = await importDocument(cast, { who: cast.alice, document });
  assert.match(first.out, /^~ contact "Alice": addresses, newaddresses$/m);
  const [, sms = ""] = Object.keys(
    (await exportAccount(cast, cast.alice)).contacts[id]?.addresses ?? {},
  );
  await cast.ask(cast.alice, "PUT /contacts", {
    id,
    newaddresses: [{ type: "email", address: "surplus@example.com" }],
  });
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  const pruned = await importDocument(cast, { who: cast.alice, document }, "--prune");
  assert.match(pruned.out, /^~ contact "Alice": addresses$/m);
  const { addresses = {} } = (await exportAccount(cast, cast.alice)).contacts[id] ?? {};
  assert.deepEqual(Object.keys(addresses), [mail, sms]);
  assert.equal(addresses[mail]?.suppressdown, true);
  // An address keeps its kind, so one of another kind is another address.
  const moved = await alices(cast, {
    contacts: {
      [id]: {
        name: "Alice",
        custrole: "owner",
        addresses: { [mail]: { type: "voice", address: "+441234567" } },
      },
    },
  });
  assert.equal(
    (await importDocument(cast, { who: cast.alice, document: moved }, "--prune")).code,
    0,
  );
  const left = Object.entries(
    (await exportAccount(cast, cast.alice)).contacts[id]?.addresses ?? {},
  );
  assert.deepEqual(
    left.map(([, { type }]) => type),
    ["voice"],
  );
  assert.ok(!left.some(([each]) => each === mail));
});

test("ownership moves from one contact to another, and no contact is mailed a password", async () => {
  await using cast = await createApiFixture({ mails: true });
  const document = await alices(cast, {
    contacts: {
      old: { name: "Alice", custrole: "view" },
      new: {
        name: "New",
        custrole: "owner",
        addresses: { a: { type: "email", address: "new@example.com" } },
      },
      third: {
        name: "Third",
        custrole: "edit",
        addresses: { b: { type: "email", address: "third@example.com" } },
      },
    },
  });
  assert.equal((await importDocument(cast, { who: cast.alice, document })).code, 0);
  const { contacts } = await exportAccount(cast, cast.alice);
  assert.deepEqual(
    Object.values(contacts).map(({ name, custrole }) => [name, custrole]),
    [
      ["Alice", "view"],
      ["New", "owner"],
      ["Third", "edit"],
    ],
  );
  assert.equal(await cast.store.systemMails.isDue(), false);
});

test("records of one name are taken in their order, the first for the first", async () => {
  await using cast = await createApiFixture();
  for (const members of [[cast.alice.contact.id], []])
    await cast.ask(cast.alice, "POST /contactgroups", { name: "Twin", members });
  const document = await exportAccount(cast, cast.alice);
  await importDocument(cast, { who: cast.carol, document });
  const { contactgroups } = await exportAccount(cast, cast.carol);
  assert.deepEqual(
    Object.values(contactgroups).map(({ members }) => members.length),
    [1, 0],
  );
  assert.match((await importDocument(cast, { who: cast.carol, document })).out, nothingToDo);
});

test("what only the service assigns to a new check is told", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  const { out } = await importDocument(cast, { who: cast.carol, document });
  const checks: readonly { _id: string; label: string; parameters: { checktoken?: string } }[] =
    Object.values((await cast.ask(cast.carol, "GET /checks")).body);
  const backup = checks.find(({ label }) => label === "Backup");
  assert.ok(
    out.includes(
      `+ check "Backup"\n  id ${backup?._id}, checktoken ${backup?.parameters.checktoken}\n`,
    ),
  );
  assert.doesNotMatch(JSON.stringify(document), /checktoken/);
});

test("a failure in the middle says where and what was done, and the next import goes on", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  let writes = 0;
  const failing = commandLine(cast, cast.carol.token, {
    readInput: () => Promise.resolve(JSON.stringify(document)),
    async fetch(url, { method = "GET", headers, body }) {
      writes += method === "GET" ? 0 : 1;
      if (writes === 6) throw new TypeError("fetch failed", { cause: new Error("cut off") });
      const { pathname, search } = new URL(url);
      const answer = await cast.app.inject({
        method: method === "GET" || method === "PUT" ? method : "POST",
        url: `${pathname}${search}`,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" ? { body } : {}),
      });
      return new Response(answer.body, { status: answer.statusCode });
    },
  });
  const ran = await failing("import -");
  assert.equal(ran.code, 1);
  assert.match(
    ran.err,
    /^contact "Night shift", [-\w]+: cannot reach \S+: cut off\nDone before the error: 3 created, 2 changed, 0 deleted, 4 unchanged\. It is safe to import the document again\.\n$/,
  );
  const again = await importDocument(cast, { who: cast.carol, document });
  assert.match(again.out, /^8 created, 0 changed, 0 deleted, 9 unchanged\.$/m);
  assert.match((await importDocument(cast, { who: cast.carol, document })).out, nothingToDo);
});
