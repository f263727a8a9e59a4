import assert from "node:assert/strict";

import { receiverPeer } from "../../peers/webhook-receiver.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";
import {
  waitForAlerts,
  failingData,
  waitForState,
  loadField,
  probedCheck,
  pushedCheck,
  healthyData,
} from "../check-drivers.ts";

const MINUTE_MS = 60_000;

async function setStatus({ ask, alice, bob }: ConformanceFixture, status: string): Promise<void> {
  const { body } = await ask(alice, "PUT /accounts", { customerid: bob.account.id, status });
  assert.equal(body.status, status);
  const { body: read } = await ask(alice, `GET /accounts/${bob.account.id}`);
  assert.equal(read.status, status);
}

/** Alice's alert about a new check of hers, whose address may carry suppressions: how it ended. */
async function endOfAlert(
  cast: ConformanceFixture,
  notifications: readonly object[],
): Promise<string> {
  const { id, heartbeat } = await pushedCheck(cast, { notifications });
  await heartbeat();
  const [{ status, reason }] = await waitForAlerts(cast, id);
  return reason ?? status;
}

/** Alice's mailbox is refused for good; gives what the API is to say of it. */
async function markAlice(
  { store, clock, alice: { account, contact } }: ConformanceFixture,
  status: "refused" | "disabled",
): Promise<object> {
  const [mailbox] = contact.addresses;
  const refusal = { at: clock.now(), reason: "550 no" };
  const whose = {
    accountId: account.id,
    contactId: contact.id,
    addressId: mailbox?.id ?? "",
    address: mailbox?.address ?? "",
  };
  await store.write(({ contacts }) => contacts.changeAddressStatus({ ...whose, status, refusal }));
  return refusal;
}

async function standingOfAlice({ ask, alice }: ConformanceFixture): Promise<readonly unknown[]> {
  const { body } = await ask(alice, `GET /contacts/${alice.contact.id}`);
  const [address] = Object.values<{ status: string; refusal?: object }>(body.addresses);
  return [address?.status, address?.refusal];
}

/** How the alert about a new check of Bob's ended. */
async function endOfBobs(cast: ConformanceFixture): Promise<string> {
  const { ask, alice, bob } = cast;
  const customerid = bob.account.id;
  const notifications = [{ [bob.contact.id]: "All" }];
  const { id, heartbeat } = await pushedCheck(cast, { customerid, notifications });
  await heartbeat();
  return cast.until("the end of Bob's alert", async () => {
    const { body } = await ask(alice, `GET /notifications/${id}`, { customerid, dropped: true });
    const [alert] = body;
    return alert !== undefined && alert.status !== "waiting" && (alert.reason ?? alert.status);
  });
}

/** How often a target is asked in the next two minutes. */
async function runsOf(
  cast: ConformanceFixture,
  target: { readonly requests: readonly unknown[] },
): Promise<number> {
  const before = target.requests.length;
  await cast.advance(2 * MINUTE_MS);
  return target.requests.length - before;
}

export const transitions = {
  "subaccount: Active to Suspend": async (cast) => {
    const { ask, alice, bob } = cast;
    await using his = await receiverPeer();
    await using hers = await receiverPeer();
    await probedCheck(cast, his, { customerid: bob.account.id });
    await probedCheck(cast, hers);
    cast.start();
    assert.ok((await runsOf(cast, his)) >= 2);
    await setStatus(cast, "Suspend");
    assert.equal(await runsOf(cast, his), 0);
    assert.equal(await runsOf(cast, hers), 2);
    cast.refused(
      await ask(alice, "PUT /accounts", { status: "Suspend" }),
      400,
      "status: can only be changed on a subaccount",
    );
  },

  "subaccount: Suspend to Active": async (cast) => {
    await using his = await receiverPeer();
    await setStatus(cast, "Suspend");
    await probedCheck(cast, his, { customerid: cast.bob.account.id });
    cast.start();
    assert.equal(await runsOf(cast, his), 0);
    await setStatus(cast, "Active");
    assert.ok((await runsOf(cast, his)) >= 2);
  },

  "account: accountsuppressall true": async (cast) => {
    const { ask, alice, bob, mails } = cast;
    const notifications = [{ [alice.contact.id]: "All" }];
    cast.start();
    assert.equal(await endOfAlert(cast, notifications), "delivered");
    const { body: own } = await ask(alice, "PUT /accounts", { accountsuppressall: "true" });
    assert.equal(own.accountsuppressall, true);
    assert.equal(await endOfAlert(cast, notifications), "account_suppressed");
    assert.equal(await endOfBobs(cast), "delivered");
    const { body: his } = await ask(alice, "PUT /accounts", {
      accountsuppressall: "true",
      customerid: bob.account.id,
    });
    assert.equal(his.accountsuppressall, true);
    assert.equal(await endOfBobs(cast), "account_suppressed");
    assert.deepEqual(
      mails.map(({ to }) => to),
      ["alice@example.com", "bob@example.com"],
    );
  },

  "account: accountsuppressall false": async (cast) => {
    const { ask, alice } = cast;
    const { body: muted } = await ask(alice, "POST /contacts", {
      custrole: "notify",
      newaddresses: [{ type: "email", address: "muted@example.net", suppressall: true }],
    });
    await ask(alice, "PUT /accounts", { accountsuppressall: "true" });
    const { body: account } = await ask(alice, "PUT /accounts", { accountsuppressall: "false" });
    assert.equal(account.accountsuppressall, false);
    cast.start();
    assert.equal(await endOfAlert(cast, [{ [alice.contact.id]: "All" }]), "delivered");
    assert.equal(await endOfAlert(cast, [{ [muted._id]: "All" }]), "address_suppressed");
  },

  "check: not enabled to enabled": async (cast) => {
    const { ask, alice } = cast;
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target, { enabled: undefined });
    cast.start();
    assert.equal(await runsOf(cast, target), 0);
    const { body } = await ask(alice, `PUT /checks/${id}`, { enabled: "true" });
    assert.equal(body.enabled, "active");
    assert.ok((await runsOf(cast, target)) >= 2);
    await waitForState(cast, await probedCheck(cast, target, { enabled: "active" }), 1);
  },

  "check: enabled to not enabled": async (cast) => {
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target);
    cast.start();
    assert.ok((await runsOf(cast, target)) >= 2);
    await cast.ask(cast.alice, `PUT /checks/${id}`, { enabled: "false" });
    assert.equal(await runsOf(cast, target), 0);
  },

  "check: disableall true": async (cast) => {
    const { ask, alice, bob } = cast;
    await using hers = await receiverPeer();
    await using his = await receiverPeer();
    const id = await probedCheck(cast, hers);
    await probedCheck(cast, his, { customerid: bob.account.id });
    cast.start();
    await waitForState(cast, id, 1);
    await ask(alice, "PUT /checks", { disableall: "true", id, public: "true", interval: 0 });
    assert.equal(await runsOf(cast, hers), 0);
    assert.equal(await runsOf(cast, his), 2);
    const { body: check } = await ask(alice, `GET /checks/${id}`);
    assert.deepEqual([check.enable, check.public], ["inactive", false]);
  },

  "check: disableall false": async (cast) => {
    const { ask, alice } = cast;
    await using on = await receiverPeer();
    await using off = await receiverPeer();
    await probedCheck(cast, on);
    await probedCheck(cast, off, { enabled: "false" });
    await ask(alice, "PUT /checks", { disableall: "true" });
    cast.start();
    assert.equal(await runsOf(cast, on), 0);
    await ask(alice, "PUT /checks", { disableall: "false" });
    assert.ok((await runsOf(cast, on)) >= 2);
    assert.equal(off.requests.length, 0);
  },

  "check: passing to failing": async (cast) => {
    const { noFirstDown } = cast;
    await using target = await receiverPeer();
    const id = await probedCheck(cast, target, { sens: 3 });
    cast.start();
    const { firstdown } = await waitForState(cast, id, 1);
    assert.equal(firstdown, noFirstDown);
    target.reply({ status: 500 });
    const before = target.requests.length;
    const failing = await waitForState(cast, id, 0);
    assert.equal(target.requests.length - before, 4, "the run and three rechecks");
    const runs = Object.entries<string>(failing.lastresult.l);
    assert.equal(new Set(runs.map(([, code]) => code)).size, 4, "each from another server");
    const starts = runs.map(([at]) => Number(at));
    assert.equal(failing.firstdown, Math.min(...starts));
    assert.ok(Math.max(...starts) - failing.firstdown < 15_000, "soon, not by the interval");
  },

  "check: failing to passing": async (cast) => {
    const { noFirstDown } = cast;
    await using target = await receiverPeer();
    target.reply({ status: 500 });
    const id = await probedCheck(cast, target, { sens: 2 });
    cast.start();
    await waitForState(cast, id, 0);
    target.reply({ status: 200 });
    const before = target.requests.length;
    const passing = await waitForState(cast, id, 1);
    assert.equal(target.requests.length - before, 3);
    assert.equal(Object.keys(passing.lastresult.l).length, 3);
    assert.equal(passing.firstdown, noFirstDown);
  },

  "contact: notify to edit or view": async (cast) => {
    const { ask, alice, mails } = cast;
    cast.enableSystemMail();
    cast.start();
    const mailbox = { type: "email", address: "dave@example.net" };
    for (const custrole of ["edit", "view"]) {
      const { body: contact } = await ask(alice, "POST /contacts", {
        custrole: "notify",
        newaddresses: [mailbox],
      });
      await ask(alice, `PUT /contacts/${contact._id}`, { custrole });
      const { body: read } = await ask(alice, `GET /contacts/${contact._id}`);
      assert.equal(read.custrole, custrole);
    }
    await cast.advance(5000);
    assert.equal(mails.length, 0);
    await ask(alice, "POST /contacts", { custrole: "edit", newaddresses: [mailbox] });
    const welcome = await cast.until("a welcome", async () => mails[0]);
    assert.match(welcome.text, /Password: \S+/);
  },

  "PUSH check: old result": async (cast) => {
    const { ask, alice } = cast;
    const parameters = { interval: 2, sens: 3, notifications: [{ [alice.contact.id]: "All" }] };
    const { id, heartbeat } = await pushedCheck(cast, { ...parameters, oldresultfail: true });
    const patient = await pushedCheck(cast, parameters);
    cast.start();
    await heartbeat();
    await patient.heartbeat();
    await cast.advance(5.9 * MINUTE_MS);
    await waitForState(cast, id, 1);
    await cast.advance(0.2 * MINUTE_MS);
    const { lastresult } = await waitForState(cast, id, 0);
    assert.equal(lastresult.sc, "Results are old");
    const [, down] = await waitForAlerts(cast, id, 2);
    assert.deepEqual([down.type, down.status], ["down", "delivered"]);
    const { body: other } = await ask(alice, `GET /checks/${patient.id}`);
    assert.equal(other.state, 1, "unless oldresultfail is set");
  },

  "PUSH check: metric missing or out of range": async (cast) => {
    for (const bad of [failingData, { other: 1 }, undefined]) {
      const { id, heartbeat } = await pushedCheck(cast, loadField);
      await heartbeat(healthyData);
      await waitForState(cast, id, 1);
      await heartbeat(bad);
      await waitForState(cast, id, 0);
    }
  },

  "check status: assigned and modified": async (cast) => {
    const { ask, alice } = cast;
    const { body: created } = await ask(alice, "POST /checks", { type: "PUSH" });
    const read = async () => (await ask(alice, `GET /checks/${created._id}`)).body.status;
    assert.equal(created.status, "modified");
    assert.equal(await read(), "assigned");
    const { body: changed } = await ask(alice, `PUT /checks/${created._id}`, { enabled: true });
    assert.equal(changed.status, "modified");
    assert.equal(await read(), "assigned");
  },

  "address status: new": async (cast) => {
    const { ask, alice } = cast;
    cast.start();
    assert.equal(await endOfAlert(cast, [{ [alice.contact.id]: "All" }]), "delivered");
    const { body: contact } = await ask(alice, `GET /contacts/${alice.contact.id}`);
    const statuses = Object.values<{ status: string }>(contact.addresses).map(
      ({ status }) => status,
    );
    assert.deepEqual(statuses, ["new"]);
  },

  "address status: refused": async (cast) => {
    const refusal = await markAlice(cast, "refused");
    assert.deepEqual(await standingOfAlice(cast), ["refused", refusal]);
    cast.start();
    const notifications = [{ [cast.alice.contact.id]: "All" }];
    assert.equal(await endOfAlert(cast, notifications), "delivered");
    assert.deepEqual(await standingOfAlice(cast), ["new", undefined]);
  },

  "address status: disabled": async (cast) => {
    const { ask, alice } = cast;
    const refusal = await markAlice(cast, "disabled");
    cast.start();
    const notifications = [{ [alice.contact.id]: "All" }];
    assert.equal(await endOfAlert(cast, notifications), "address_disabled");
    assert.deepEqual(await standingOfAlice(cast), ["disabled", refusal]);
    const { id = "" } = alice.contact.addresses[0] ?? {};
    const addresses = { [id]: { status: "new" } };
    await ask(alice, `PUT /contacts/${alice.contact.id}`, { addresses });
    assert.equal(await endOfAlert(cast, notifications), "delivered");
  },
} satisfies RowTests<"3 transitions">;
