import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createApiFixture,
  plainCheck,
  withoutLimits,
  type TestResponse,
  type ApiFixture,
  type Person,
} from "../../../../test/api-fixture.ts";
import { hashToken } from "../../../kit/crypto/seal.ts";

const forbidden = { error: "You do not have the correct permissions for that account." };

const opening = {
  name: "Dora",
  contactname: "Dora's people",
  email: "dora@example.net",
  timezone: "-7",
  location: "eur",
};

function recordOf(cast: ApiFixture, changes: object = {}): object {
  const { alice, bob } = cast;
  return {
    _id: bob.account.id,
    type: "customer",
    parent: alice.account.id,
    customer_name: "Bob",
    creation_date: bob.account.createdAt,
    status: "Active",
    timezone: "-7.0",
    nextBillingDate: "2026-02-01",
    defaultlocations: ["wlw"],
    emailme: false,
    autodiagnotifications: false,
    recheckwait: 5,
    defaultnotifications: [],
    ...changes,
  };
}

/** Alice changes Bob's account. */
function change(cast: ApiFixture, parameters: object): Promise<TestResponse> {
  return cast.ask(cast.alice, "PUT /accounts", {
    customerid: cast.bob.account.id,
    ...parameters,
  });
}

test("the list begins with the caller's account and its count of subaccounts, in the order that clients match", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  await cast.ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  await cast.ask(alice, "POST /checks", plainCheck);
  const { text } = await cast.ask(alice, "GET /accounts");
  const list = {
    [alice.account.id]: { parent: 1, name: "Alice", status: "Active", count: 1 },
    [bob.account.id]: { name: "Bob", status: "Active", count: 0 },
  };
  assert.equal(withoutLimits(text), JSON.stringify(list));
});

test("an account without subaccounts has a parent of 0", async () => {
  await using cast = await createApiFixture();
  const { text } = await cast.ask(cast.carol, "GET /accounts");
  assert.deepEqual(JSON.parse(withoutLimits(text)), {
    [cast.carol.account.id]: { parent: 0, name: "Carol", status: "Active", count: 0 },
  });
});

test("one account is asked for by path, id or customerid", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  for (const [path, parameters] of [
    [`/accounts/${bob.account.id}`, {}],
    ["/accounts", { id: bob.account.id }],
    ["/accounts", { customerid: bob.account.id }],
    [`/accounts/?id=${bob.account.id}`, { customerid: "" }],
  ] as const) {
    assert.deepEqual((await cast.ask(alice, `GET ${path}`, parameters)).body, recordOf(cast));
  }
});

test("a primary account has no parent", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body } = await cast.ask(alice, `GET /accounts/${alice.account.id}`);
  assert.deepEqual([body._id, "parent" in body], [alice.account.id, false]);
});

test("the next billing date is the first of next month, also of next year", async () => {
  await using cast = await createApiFixture();
  cast.clock.step(Date.UTC(2026, 11, 31, 23, 59) - cast.clock.now());
  const { body } = await cast.ask(cast.alice, `GET /accounts/${cast.alice.account.id}`);
  assert.equal(body.nextBillingDate, "2027-01-01");
});

test("a new subaccount is below the caller, with a contact that has the email as the id of its address, and the usual schedules", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { status, body } = await cast.ask(alice, "POST /accounts", opening);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    ...recordOf(cast),
    defaultnotifications: [{ [opening.email]: { delay: 0, schedule: "All" } }],
    _id: body._id,
    customer_name: "Dora",
    creation_date: cast.clock.now(),
    defaultlocations: ["eur"],
  });
  assert.match(body._id, /^202601051200[A-Z0-9]{5}$/);
  assert.deepEqual((await cast.ask(alice, `GET /accounts/${body._id}`)).body, body);

  const [contact, ...others] = await cast.store.contacts.list(body._id);
  assert.deepEqual([contact?.name, contact?.role, others], ["Dora's people", "edit", []]);
  assert.deepEqual(
    contact?.addresses.map(({ id, kind, address }) => [id, kind, address]),
    [[opening.email, "email", opening.email]],
  );
  assert.deepEqual(
    (await cast.store.schedules.list(body._id)).map(({ name }) => name),
    ["Days", "Nights", "Weekdays", "Weekends"],
  );
  const check = await cast.ask(alice, "POST /checks", {
    ...plainCheck,
    customerid: body._id,
    notifications: [{ [opening.email]: "Days" }],
  });
  assert.equal(check.status, 200);
});

test("the ids that come with a new account are ignored: none is made below a subaccount", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  const { body } = await cast.ask(alice, "POST /accounts", {
    ...opening,
    id: bob.account.id,
    customerid: bob.account.id,
  });
  assert.equal(body.parent, alice.account.id);
  assert.equal((await cast.ask(bob, "POST /accounts", opening)).status, 403);
});

for (const [emailme, wanted] of [
  ["yes", true],
  ["no", false],
  [true, true],
  [false, false],
] as const) {
  test(`emailme may be ${JSON.stringify(emailme)}`, async () => {
    await using cast = await createApiFixture();
    const made = await cast.ask(cast.alice, "POST /accounts", { ...opening, emailme });
    assert.equal(made.body.emailme, wanted);
    assert.equal((await change(cast, { emailme: !wanted })).body.emailme, !wanted);
    assert.equal((await change(cast, { emailme })).body.emailme, wanted);
  });
}

const refusedOpenings = [
  { name: "no name", parameters: { name: null }, error: "name: required" },
  { name: "an empty name", parameters: { name: "" }, error: "name: required" },
  {
    name: "a name that is too long",
    parameters: { name: "x".repeat(256) },
    error: "name: must be text of at most 255 characters",
  },
  { name: "no contact", parameters: { contactname: null }, error: "contactname: required" },
  { name: "no email", parameters: { email: null }, error: "email: required" },
  {
    name: "an email that is none",
    parameters: { email: "dora" },
    error: 'email: must be one mailbox such as name@example.com, not "dora"',
  },
  {
    name: "two emails",
    parameters: { email: ["a@b", "b@c"] },
    error: "email: must be one mailbox",
  },
  { name: "no time zone", parameters: { timezone: null }, error: "timezone: required" },
  { name: "a time zone of no place", parameters: { timezone: 15 }, error: "Invalid time zone" },
  {
    name: "a time zone that is none",
    parameters: { timezone: { toString: 1, valueOf: 1 } },
    error: "Invalid time zone",
  },
  { name: "no location", parameters: { location: null }, error: "location: required" },
  {
    name: "an unknown location",
    parameters: { location: "mars" },
    error: "location: must be one of nam, lam, eur, eao, wlw, or a list of them",
  },
] as const;

for (const { name, parameters, error } of refusedOpenings) {
  test(`a new account with ${name} is refused and leaves nothing`, async () => {
    await using cast = await createApiFixture();
    const answer = await cast.ask(cast.alice, "POST /accounts", { ...opening, ...parameters });
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
    assert.equal((await cast.store.accounts.listWithSubaccounts(cast.alice.account.id)).length, 2);
  });
}

const changes = [
  { sent: { name: "Robert" }, shown: { customer_name: "Robert" } },
  { sent: { timezone: -7 }, shown: { timezone: "-7.0" } },
  { sent: { timezone: "GMT+5.5" }, shown: { timezone: "5.5" } },
  { sent: { timezone: "5.75" }, shown: { timezone: "5.75" } },
  { sent: { timezone: 0 }, shown: { timezone: "0.0" } },
  {
    sent: { timezone: "europe/berlin" },
    shown: { timezone: "1.0", timezonename: "Europe/Berlin" },
  },
  { sent: { location: "lam" }, shown: { defaultlocations: ["lam"] } },
  { sent: { location: "EUR, nam,eur" }, shown: { defaultlocations: ["eur", "nam"] } },
  { sent: { location: ["eao", "eur"] }, shown: { defaultlocations: ["eao", "eur"] } },
  { sent: { location: "" }, shown: {} },
  { sent: { autodiagnotifications: "true" }, shown: { autodiagnotifications: true } },
  { sent: { emailme: "yes" }, shown: { emailme: true } },
  { sent: { accountsuppressall: "true" }, shown: { accountsuppressall: true } },
  { sent: { status: "Suspend" }, shown: { status: "Suspend" } },
  { sent: {}, shown: {} },
];

for (const { sent, shown } of changes) {
  test(`a change of ${JSON.stringify(sent)} changes nothing else`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await change(cast, sent);
    assert.deepEqual([status, body], [200, recordOf(cast, shown)]);
    const read = await cast.ask(cast.alice, `GET /accounts/${cast.bob.account.id}`);
    assert.deepEqual(read.body, body);
    assert.deepEqual(cast.changes, [{ accountId: cast.bob.account.id, checkNo: undefined }]);
  });
}

test("a named time zone is shown with the hours that it has now", async () => {
  await using cast = await createApiFixture();
  await change(cast, { timezone: "Australia/Lord_Howe" });
  await cast.clock.advance(180 * 24 * 3_600_000);
  const { body } = await cast.ask(cast.alice, `GET /accounts/${cast.bob.account.id}`);
  assert.deepEqual([body.timezone, body.timezonename], ["10.5", "Australia/Lord_Howe"]);
});

for (const { sent, shown } of [
  { sent: { timezone: "1.0" }, shown: ["1.0", "Europe/Berlin"] },
  { sent: { timezone: 1 }, shown: ["1.0", "Europe/Berlin"] },
  { sent: { timezone: "2.0" }, shown: ["2.0", undefined] },
  { sent: { timezone: "GMT+1" }, shown: ["1.0", undefined] },
  { sent: { timezone: "Asia/Kathmandu" }, shown: ["5.75", "Asia/Kathmandu"] },
]) {
  test(`after a named time zone, ${JSON.stringify(sent)} leaves ${shown.join(", ")}`, async () => {
    await using cast = await createApiFixture();
    await change(cast, { timezone: "Europe/Berlin" });
    const { body } = await change(cast, sent);
    assert.deepEqual([body.timezone, body.timezonename], shown);
  });
}

test("a subaccount can begin with a named time zone", async () => {
  await using cast = await createApiFixture();
  const sent = { ...opening, timezone: "America/New_York" };
  const { body } = await cast.ask(cast.alice, "POST /accounts", sent);
  assert.deepEqual([body.timezone, body.timezonename], ["-5.0", "America/New_York"]);
});

const refusedChanges = [
  { sent: { timezone: "Europe/Mainz" }, error: "Invalid time zone" },
  { sent: { timezone: `${" ".repeat(100_000)}1` }, error: "Invalid time zone" },
  { sent: { timezone: "Berlin" }, error: "Invalid time zone" },
  { sent: { timezone: 5.3 }, error: "Invalid time zone" },
  {
    sent: { location: [] },
    error: "location: must be one of nam, lam, eur, eao, wlw, or a list of them",
  },
  {
    sent: { location: ["eur", { toString: 1, valueOf: 1 }] },
    error: "location: must be one of nam, lam, eur, eao, wlw, or a list of them",
  },
  { sent: { status: "Delete" }, error: "status: must be one of Active, Suspend" },
  { sent: { accountsuppressall: "maybe" }, error: "accountsuppressall: must be true or false" },
];

for (const { sent, error } of refusedChanges) {
  test(`a change of ${JSON.stringify(sent)} is refused`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await change(cast, { ...sent, name: "Robert" });
    assert.deepEqual([status, body], [400, { error }]);
    const { body: kept } = await cast.ask(cast.alice, `GET /accounts/${cast.bob.account.id}`);
    assert.deepEqual(kept, recordOf(cast));
    assert.deepEqual(cast.changes, []);
  });
}

test("without an id the caller's own account is changed, and no other", async () => {
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "PUT /accounts", {
    name: "Alicia",
    accountsuppressall: true,
  });
  assert.deepEqual(
    [body._id, body.customer_name, body.accountsuppressall],
    [cast.alice.account.id, "Alicia", true],
  );
  const { body: his } = await cast.ask(cast.alice, `GET /accounts/${cast.bob.account.id}`);
  assert.deepEqual(his, recordOf(cast));
});

test("suppressing all is taken back by false", async () => {
  await using cast = await createApiFixture();
  await change(cast, { accountsuppressall: "true" });
  const { body } = await change(cast, { accountsuppressall: "false" });
  assert.equal(body.accountsuppressall, false);
});

test("nobody suspends or activates their own account", async () => {
  await using cast = await createApiFixture();
  const changeOwn = async (who: Person, status: string): Promise<void> => {
    const answer = await cast.ask(who, "PUT /accounts", { status, name: "changed" });
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: "status: can only be changed on a subaccount" }],
    );
  };
  await changeOwn(cast.alice, "Suspend");
  await changeOwn(cast.bob, "Suspend");
  await change(cast, { status: "Suspend" });
  await changeOwn(cast.bob, "Active");
  await change(cast, { status: "Active" });
  const { text } = await cast.ask(cast.alice, "GET /accounts");
  assert.deepEqual(
    Object.values(JSON.parse(withoutLimits(text))).map((each) => JSON.stringify(each)),
    [
      '{"parent":1,"name":"Alice","status":"Active","count":0}',
      '{"name":"Bob","status":"Active","count":0}',
    ],
  );
});

test("a record of one's own account that is sent back changes nothing", async () => {
  await using cast = await createApiFixture();
  const { body: own } = await cast.ask(cast.alice, `GET /accounts/${cast.alice.account.id}`);
  const { status, body } = await cast.ask(cast.alice, "PUT /accounts", own);
  assert.deepEqual([status, body], [200, own]);
});

test("a suspended account has no active checks, keeps all that it has, and can be read and changed", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  const his = { customerid: bob.account.id };
  const made = await cast.ask(alice, "POST /checks", { ...plainCheck, enabled: true, ...his });
  await change(cast, { status: "suspend" });
  const count = async (): Promise<number> =>
    (await cast.ask(alice, "GET /accounts")).body[bob.account.id].count;
  assert.equal(await count(), 0);
  const { body: check } = await cast.ask(alice, `GET /checks/${made.body._id}`, his);
  assert.equal(check.enable, "active");
  const contact = await cast.ask(alice, "POST /contacts", { ...his, name: "new" });
  assert.equal(contact.status, 200);
  const renamed = await cast.ask(alice, `PUT /checks/${made.body._id}`, { ...his, label: "new" });
  assert.equal(renamed.status, 200);
  assert.equal(await count(), 0);
  await change(cast, { status: "Active" });
  assert.equal(await count(), 1);
});

test("a deleted account is in no list, reads as deleted, and is a stranger's to every other call", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  const his = { customerid: bob.account.id };
  const deleted = await cast.ask(alice, "DELETE /accounts", his);
  assert.equal(deleted.status, 200);
  assert.equal(deleted.text, '{"success":"Records queued for deletion."}');
  assert.deepEqual(cast.changes, [{ accountId: bob.account.id, checkNo: undefined }]);

  const { text } = await cast.ask(alice, "GET /accounts");
  assert.deepEqual(JSON.parse(withoutLimits(text)), {
    [alice.account.id]: { parent: 0, name: "Alice", status: "Active", count: 0 },
  });
  const read = await cast.ask(alice, `GET /accounts/${bob.account.id}`);
  assert.deepEqual(read.body, recordOf(cast, { status: "Delete" }));
  assert.equal((await cast.ask(cast.carol, `GET /accounts/${bob.account.id}`)).status, 403);
  for (const request of [
    "PUT /accounts",
    "DELETE /accounts",
    "GET /checks",
    "POST /contacts",
    "GET /schedules",
    "GET /results/current",
    "GET /notifications",
  ]) {
    const { status, body } = await cast.ask(alice, request, { ...his, name: "x" });
    assert.deepEqual([status, body], [403, forbidden], request);
  }
  assert.deepEqual((await cast.ask(bob, "GET /accounts")).body, { error: "Token not found" });
});

test("a deleted account is a stranger's once it is gone", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  await cast.ask(alice, `DELETE /accounts/${bob.account.id}`);
  await cast.store.runHousekeeping();
  const { status, body } = await cast.ask(alice, `GET /accounts/${bob.account.id}`);
  assert.deepEqual([status, body], [403, forbidden]);
});

test("the token of an account that is on its way out is unknown, whenever it was made", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  await cast.ask(alice, `DELETE /accounts/${bob.account.id}`);
  await cast.store.write((tx) =>
    tx.tokens.insert({
      digest: hashToken("late"),
      accountId: bob.account.id,
      label: "",
      createdAt: 0,
      compatibility: "standard",
    }),
  );
  const { status, body } = await cast.ask("late", "GET /accounts");
  assert.deepEqual([status, body], [403, { error: "Token not found" }]);
});

for (const compatibility of ["standard", "legacy"] as const) {
  // guard: deletion of one's own account
  test(`nobody deletes their own account, nor one that they do not name, in ${compatibility} mode`, async () => {
    await using cast = await createApiFixture({ compatibility });
    for (const who of [cast.alice, cast.bob]) {
      const own = await cast.ask(who, `DELETE /accounts/${who.account.id}`);
      assert.deepEqual(
        [own.status, own.body],
        [403, { error: "your own account cannot be deleted" }],
      );
    }
    const unnamed = await cast.ask(cast.alice, "DELETE /accounts");
    assert.deepEqual(
      [unnamed.status, unnamed.body],
      [compatibility === "legacy" ? 200 : 400, { error: "customerid: required" }],
    );
    assert.equal((await cast.store.accounts.listWithSubaccounts(cast.alice.account.id)).length, 2);
  });
}

test("in legacy mode a time zone that is none answers 200 with the known sentence", async () => {
  await using cast = await createApiFixture({ compatibility: "legacy" });
  const { status, text } = await change(cast, { timezone: "x" });
  assert.deepEqual([status, text], [200, '{"error":"Invalid time zone"}']);
});

const strangers = [
  { name: "Carol at Alice's account", who: "carol", whose: "alice" },
  { name: "Carol at Bob's account", who: "carol", whose: "bob" },
  { name: "Bob at his parent's account", who: "bob", whose: "alice" },
] as const;

for (const { name, who, whose } of strangers) {
  test(`${name} reads, changes and deletes nothing`, async () => {
    await using cast = await createApiFixture();
    const theirs = cast[whose].account;
    for (const request of ["GET", "PUT", "DELETE"]) {
      const { status, body } = await cast.ask(cast[who], `${request} /accounts/${theirs.id}`, {
        name: "taken",
        status: "Suspend",
      });
      assert.deepEqual([status, body], [403, forbidden]);
    }
    assert.deepEqual(await cast.store.accounts.find(theirs.id), theirs);
  });
}

test("of a change and a deletion at the same time the deletion wins", async () => {
  await using cast = await createApiFixture();
  const { alice, bob } = cast;
  await Promise.all([
    cast.ask(alice, `DELETE /accounts/${bob.account.id}`),
    change(cast, { status: "Active", name: "back" }),
    change(cast, { status: "Suspend" }),
  ]);
  assert.equal((await cast.store.accounts.find(bob.account.id))?.status, "deleted");
});

test("the first contact of a new account is welcomed where there is a mail server", async () => {
  await using cast = await createApiFixture({ mails: true });
  const { body } = await cast.ask(cast.alice, "POST /accounts", opening);
  const mail = await cast.store.write(({ systemMails }) => systemMails.claim({ leaseMs: 0 }));
  assert.deepEqual([mail?.kind, mail?.to, mail?.accountId], ["welcome", opening.email, body._id]);
});
