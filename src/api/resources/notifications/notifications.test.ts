import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createApiFixture,
  plainCheck,
  type ApiFixture,
  type Person,
} from "../../../../test/api-fixture.ts";
import { anAlert } from "../../../../test/record-builders.ts";
import {
  dropReasons,
  holdReasons,
  type AlertStatus,
  type Notice,
} from "../../../domain/alert/alert.ts";
import { reasonInWords } from "./reasons.ts";

/** An alert to the person about a check of theirs, which ends with that status. */
async function alerted(
  cast: ApiFixture,
  person: Person,
  {
    id,
    status = "delivered",
    to = "to@example.com",
    network = "smtp",
  }: {
    readonly id: string;
    readonly status?: AlertStatus;
    readonly to?: string;
    readonly network?: string;
  },
): Promise<string> {
  const { body } = await cast.ask(person, "POST /checks", plainCheck);
  const found = await cast.store.checks.find(person.account.id, body._id);
  assert.ok(found);
  const at = cast.clock.now();
  const notice: Notice = {
    account: { id: person.account.id, name: person.account.name },
    check: {
      id: body._id,
      label: "x",
      type: "HTTP",
      target: "http://example.com/",
      intervalMinutes: 15,
      description: "",
    },
    state: "failing",
    previous: "passing",
    since: at,
    downForMs: undefined,
    result: {
      id: "r",
      startedAt: at,
      endedAt: at,
      runtimeMs: 1,
      reason: "status",
      text: "500",
      message: "HTTP status returned: 500",
    },
    confirmations: [],
  };
  const [address] = person.contact.addresses;
  await cast.store.write(async (tx) => {
    await tx.alerts.insert({
      id,
      flipId: `flip-${id}`,
      accountId: person.account.id,
      checkNo: found.check.no,
      outage: `flip-${id}`,
      kind: "down",
      contactId: person.contact.id,
      addressId: address?.id ?? "",
      schedules: ["All"],
      dueAt: at,
      createdAt: at,
      notice,
    });
    if (status === "dropped")
      await tx.alerts.finishAttempt(id, { status, at, reason: "outside_window" });
    if (status !== "delivered") return;
    await tx.alerts.setRendered(id, {
      kind: "down",
      to,
      from: "from@example.com",
      subject: "DOWN: x",
      body: "It is down.",
      network,
    });
    for (const [attempt, response] of ["451 later", "250 taken"].entries()) {
      await tx.alerts.addDelivery({
        alertId: id,
        attempt: attempt + 1,
        startedAt: at + 20 * attempt,
        endedAt: at + 20 * attempt + 10,
        accepted: attempt === 1,
        response,
      });
    }
    await tx.alerts.finishAttempt(id, { status, at: at + 50 });
  });
  return body._id;
}

test("a notification says what was sent to whom, by which way, when and with what end", async () => {
  await using cast = await createApiFixture();
  const check = await alerted(cast, cast.alice, { id: "one" });
  const { body } = await cast.ask(cast.alice, "GET /notifications");
  assert.deepEqual(body, [
    {
      _id: `${check}-one`,
      jobid: check,
      customer_id: cast.alice.account.id,
      to: "to@example.com",
      from: "from@example.com",
      subject: "DOWN: x",
      body: "It is down.",
      network: "smtp",
      type: "down",
      at: cast.clock.now() + 50,
      rhp: "",
      status: "delivered",
    },
  ]);
});

test("they come newest first, of one check where it is named, within span and limit", async () => {
  await using cast = await createApiFixture();
  const old = await alerted(cast, cast.alice, { id: "old" });
  await cast.clock.advance(2 * 3_600_000);
  const recent = await alerted(cast, cast.alice, { id: "recent" });
  const jobs = async (query: string): Promise<readonly string[]> =>
    (await cast.ask(cast.alice, `GET /notifications${query}`)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs(""), [recent, old]);
  assert.deepEqual(await jobs("?limit=1"), [recent]);
  assert.deepEqual(await jobs("?span=1"), [recent]);
  assert.deepEqual(await jobs("?span=3&limit=1"), [recent]);
  assert.deepEqual(await jobs(`/${old}`), [old]);
  assert.deepEqual(await jobs(`?id=${old}`), [old]);
  assert.deepEqual(await jobs("/missing"), []);
});

test("those of subaccounts are included when asked for, and a stranger's never", async () => {
  await using cast = await createApiFixture();
  const hers = await alerted(cast, cast.alice, { id: "hers" });
  const his = await alerted(cast, cast.bob, { id: "his" });
  await alerted(cast, cast.carol, { id: "carols" });
  const jobs = async (query: string): Promise<readonly string[]> =>
    (await cast.ask(cast.alice, `GET /notifications${query}`)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs(""), [hers]);
  assert.deepEqual(new Set(await jobs("?subaccounts=1")), new Set([hers, his]));
  assert.deepEqual(await jobs(`?customerid=${cast.bob.account.id}`), [his]);
});

test("an alert that only waits is shown when asked for, and counts against no limit otherwise", async () => {
  await using cast = await createApiFixture();
  const sent = await alerted(cast, cast.alice, { id: "sent" });
  await cast.clock.advance(60_000);
  const waits = await alerted(cast, cast.alice, { id: "waits", status: "waiting" });
  const jobs = async (query: string): Promise<readonly string[]> =>
    (await cast.ask(cast.alice, `GET /notifications?limit=1${query}`)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs(""), [sent]);
  assert.deepEqual(await jobs("&dropped=1"), [waits]);
});

test("alerts that were dropped before any attempt are shown when asked for, with the reason", async () => {
  await using cast = await createApiFixture();
  const check = await alerted(cast, cast.alice, { id: "one", status: "dropped" });
  assert.equal((await cast.ask(cast.alice, "GET /notifications")).text, "[]");
  const { body } = await cast.ask(cast.alice, "GET /notifications?dropped=true");
  assert.deepEqual(
    body.map(({ jobid, status, reason }: Record<string, string>) => [jobid, status, reason]),
    [[check, "dropped", "outside_window"]],
  );
});

test("with detail each has its address, its times and every attempt with what the receiver said", async () => {
  await using cast = await createApiFixture();
  const check = await alerted(cast, cast.alice, { id: "one" });
  const at = cast.clock.now();
  const [usual] = (await cast.ask(cast.alice, "GET /notifications")).body;
  const { body } = await cast.ask(cast.alice, `GET /notifications/${check}?detail=1`);
  assert.deepEqual(body, [
    {
      ...usual,
      contact_id: cast.alice.contact.id,
      address_id: cast.alice.contact.addresses[0]?.id,
      created: at,
      due: at,
      attempts: 0,
      deliveries: [
        { attempt: 1, start: at, end: at + 10, accepted: false, response: "451 later" },
        { attempt: 2, start: at + 20, end: at + 30, accepted: true, response: "250 taken" },
      ],
    },
  ]);
});

test("with detail one that waits says when it is tried next, and one that never was has no attempts", async () => {
  await using cast = await createApiFixture();
  await alerted(cast, cast.alice, { id: "dropped", status: "dropped" });
  await alerted(cast, cast.alice, { id: "waits", status: "waiting" });
  const { body } = await cast.ask(cast.alice, "GET /notifications?detail=1&dropped=1");
  assert.deepEqual(
    body.map(({ status, next, deliveries }: Record<string, unknown>) => [status, next, deliveries]),
    [
      ["waiting", cast.clock.now(), []],
      ["dropped", undefined, []],
    ],
  );
});

test("with detail the attempts of subaccounts are listed when asked for, and at most 300 are listed", async () => {
  await using cast = await createApiFixture();
  await alerted(cast, cast.bob, { id: "his" });
  await alerted(cast, cast.carol, { id: "carols" });
  const attempts = async (person: Person, query: string): Promise<readonly number[]> =>
    (await cast.ask(person, `GET /notifications?detail=1${query}`)).body.map(
      ({ deliveries }: { deliveries: readonly unknown[] }) => deliveries.length,
    );
  assert.deepEqual(await attempts(cast.alice, ""), []);
  assert.deepEqual(await attempts(cast.alice, "&subaccounts=1"), [2]);
  assert.deepEqual(await attempts(cast.alice, `&customerid=${cast.bob.account.id}`), [2]);
  await cast.store.write(async ({ alerts }) => {
    const check = { no: 1, id: "check", accountId: cast.alice.account.id };
    for (let count = 0; count <= 300; count += 1) await alerts.insert(anAlert(`${count}`, check));
  });
  assert.equal((await attempts(cast.alice, "&limit=301&dropped=1")).length, 300);
});

test("those to a contact, of a type, with a status or in a time are found", async () => {
  await using cast = await createApiFixture();
  const { alice, clock } = cast;
  const start = clock.now();
  const sent = await alerted(cast, alice, { id: "sent" });
  await clock.advance(60_000);
  const waits = await alerted(cast, alice, { id: "waits", status: "waiting" });
  const dropped = await alerted(cast, alice, { id: "dropped", status: "dropped" });
  const jobs = async (query: object): Promise<readonly string[]> =>
    (await cast.ask(alice, "GET /notifications", query)).body.map(
      ({ jobid }: { jobid: string }) => jobid,
    );
  assert.deepEqual(await jobs({ contact: alice.contact.id }), [sent]);
  assert.deepEqual(await jobs({ contact: cast.carol.contact.id }), []);
  assert.deepEqual(await jobs({ status: "delivered" }), [sent]);
  assert.deepEqual(await jobs({ status: "waiting" }), [waits]);
  assert.deepEqual(await jobs({ status: "dropped" }), [dropped]);
  assert.deepEqual(await jobs({ type: "up", dropped: 1 }), []);
  assert.deepEqual((await jobs({ type: "down", dropped: 1 })).length, 3);
  assert.deepEqual(await jobs({ network: "slack" }), []);
  assert.deepEqual(await jobs({ end: start + 50, dropped: 1 }), [sent]);
  assert.deepEqual(
    new Set(await jobs({ start: start + 51, dropped: 1 })),
    new Set([waits, dropped]),
  );
});

test("a list goes on after its last notification, with detail too, and not after one that is gone or another's", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  for (const id of ["one", "two", "three"]) {
    await alerted(cast, alice, { id });
    await cast.clock.advance(1000);
  }
  await alerted(cast, cast.carol, { id: "hers" });
  const { body: all } = await cast.ask(alice, "GET /notifications");
  const idsAfter = async (query: object): Promise<readonly string[]> =>
    (await cast.ask(alice, "GET /notifications", query)).body.map(
      ({ _id }: { _id: string }) => _id,
    );
  const ids: readonly string[] = all.map(({ _id }: { _id: string }) => _id);
  assert.deepEqual(await idsAfter({ after: ids[0] }), ids.slice(1));
  assert.deepEqual(await idsAfter({ after: ids[0], limit: 1, detail: true }), [ids[1]]);
  assert.deepEqual(await idsAfter({ after: ids[2] }), []);
  assert.deepEqual(await idsAfter({ after: "x-gone" }), []);
  assert.deepEqual(await idsAfter({ after: "x-hers" }), []);
});

test("every reason of our own has its sentence", async () => {
  await using cast = await createApiFixture();
  await alerted(cast, cast.alice, { id: "one", status: "dropped" });
  const { body } = await cast.ask(cast.alice, "GET /notifications?dropped=true");
  assert.equal(body[0].reasontext, "it was due outside of the windows of its schedule");
  for (const reason of dropReasons) assert.ok(reasonInWords("dropped", reason), reason);
  for (const reason of holdReasons) assert.ok(reasonInWords("held", reason), reason);
  assert.equal(reasonInWords("failed", "550 no such mailbox"), undefined);
});

test("an alert by a webhook names the service that it went to", async () => {
  await using cast = await createApiFixture();
  const network = "webhook";
  await alerted(cast, cast.alice, { id: "own", to: "https://example.com/hook", network });
  await cast.clock.advance(1000);
  await alerted(cast, cast.alice, { id: "service", to: "https://ntfy.sh/alerts", network });
  const { body } = await cast.ask(cast.alice, "GET /notifications");
  assert.deepEqual(
    body.map(({ service }: { service?: string }) => service),
    ["ntfy", undefined],
  );
});
