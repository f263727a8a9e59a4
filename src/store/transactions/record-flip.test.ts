import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../domain/check.ts";
import { maxRecipients } from "../../domain/contact/recipients.ts";
import type { State } from "../../domain/run/verdict.ts";
import {
  aCheck,
  aContact,
  aResult,
  alice,
  anAddress,
  carol,
  minute,
  noon,
} from "../../../test/record-builders.ts";
import { tempStore, type TempStore } from "../../../test/stores/temp-store.ts";
import { recordFlip, type RecordedFlip } from "./record-flip.ts";

interface Stage {
  readonly store: TempStore;
  readonly check: Check;
  /** Records the flip of a series that began a minute before its result. */
  readonly flip: (from: State | undefined, to: State, at: number) => Promise<RecordedFlip>;
  /** Waiting alerts, as `kind contact address`. */
  readonly waiting: () => Promise<readonly string[]>;
}

async function stage(
  notifications: Check["notifications"],
  defaultNotifications: Check["notifications"] = [],
): Promise<Stage> {
  const store = await tempStore();
  let serial = 0;
  const ids = { alert: () => `id-${(serial += 1)}` };
  const check = await store.write(async ({ accounts, contacts, groups, profiles, checks }) => {
    await accounts.insert({ ...alice, name: "Alice", defaultNotifications });
    await accounts.insert(carol);
    await contacts.insert(
      aContact("ann", { addresses: [anAddress("mail"), anAddress("hook", { kind: "webhook" })] }),
    );
    await contacts.insert(aContact("ben"));
    await contacts.insert(aContact("carols", { accountId: carol.id }));
    const own = { accountId: alice.id, name: "" };
    const hers = { accountId: carol.id, name: "" };
    await groups.insert({ ...own, id: "team", members: ["hook", "ben", "gone", "carols"] });
    await groups.insert({ ...hers, id: "carols-team", members: ["ann", "carols"] });
    const subscriptions = [
      { recipientId: "team", schedule: "Nights", delayMinutes: 5 },
      { recipientId: "mail", schedule: "Days", delayMinutes: 1 },
    ];
    await profiles.insert({ ...own, id: "shift", subscriptions });
    await profiles.insert({ ...hers, id: "carols-shift", subscriptions });
    const parameters = { target: "https://ann:secret@shop.example/page?key=secret" };
    return checks.insert(aCheck("check", { notifications, label: "Shop", parameters }));
  });
  return {
    store,
    check,
    flip: (from, to, at) =>
      store.write((tx) => {
        const result = aResult(check.no, at, {
          passed: to === "passing",
          text: "text",
          message: "message",
        });
        const confirmations = [
          { at, location: "ld", passed: to === "passing", message: "message" },
        ];
        return recordFlip(tx, { check, from, to, result, since: at - minute, confirmations }, ids);
      }),
    async waiting() {
      const found = await store.alerts.listNotifications({
        accountIds: [alice.id, carol.id],
        checkId: check.id,
        from: 0,
        limit: 99,
        dropped: true,
      });
      return found
        .filter(({ status }) => status === "waiting")
        .map(({ kind, contactId, addressId }) => `${kind} ${contactId} ${addressId}`)
        .toSorted();
    },
  };
}

test("a contact stands for all its addresses, an address for itself, each alerted once and at its soonest", async () => {
  const { store, flip } = await stage([
    { ann: { schedule: "Days", delay: 10 } },
    { hook: { schedule: "Nights", delay: "2" }, "ben-mail": "All" },
  ]);
  await using _ = store;
  await flip("passing", "failing", noon + minute);
  assert.deepEqual(
    await (await store.at(noon + 60 * minute)).alerts.listDue(9),
    [],
    "the check was not passing",
  );
  await flip(undefined, "passing", noon + minute);
  const ends = await (await store.at(noon + 60 * minute)).alerts.listDue(9);
  assert.deepEqual(
    ends.map(({ kind, contactId, addressId, schedules, dueAt }) => [
      kind,
      contactId,
      addressId,
      schedules.join(),
      dueAt - noon - minute - 20,
    ]),
    [
      ["first", "ben", "ben-mail", "All", 0],
      ["first", "ann", "hook", "Nights,Days", 2 * minute],
      ["first", "ann", "mail", "Days", 10 * minute],
    ],
  );
});

test("a group stands for its members, a profile for its own schedules and for delays after its own", async () => {
  const { store, flip } = await stage([
    { shift: { schedule: "Weekends", delay: 10 } },
    { team: { schedule: "All", delay: 20 }, hook: { schedule: "All", delay: 12 } },
  ]);
  await using _ = store;
  await flip(undefined, "failing", noon);
  const due = await (await store.at(noon + 60 * minute)).alerts.listDue(9);
  assert.deepEqual(
    due.map(({ contactId, addressId, schedules, dueAt }) => [
      contactId,
      addressId,
      schedules.join(),
      Math.floor((dueAt - noon) / minute),
    ]),
    [
      ["ann", "mail", "Days", 11],
      ["ann", "hook", "All", 12],
      ["ben", "ben-mail", "Nights,All", 15],
    ],
  );
});

const foreignIds = ["carols", "carols-mail", "carols-team", "carols-shift", "nobody"];
const foreigners = foreignIds.map((recipientId) => ({
  recipientId,
  schedule: "All",
  delayMinutes: 0,
}));

for (const [place, notifications, defaults] of [
  ["the notifications of a check", foreignIds.map((id) => ({ [id]: "All" })), []],
  ["a group", [{ strays: "All" }], []],
  ["a profile", [{ rota: "All" }], []],
  ["a group in a profile", [{ relay: "All" }], []],
  ["the default notifications of the account", [], foreignIds.map((id) => ({ [id]: "All" }))],
] as const) {
  test(`ids of another account in ${place} alert nobody, as ids that are nobody's do`, async () => {
    const { store, flip, waiting } = await stage(notifications, defaults);
    await using _ = store;
    await store.write(async ({ groups, profiles }) => {
      const own = { accountId: alice.id, name: "" };
      await groups.insert({ ...own, id: "strays", members: foreignIds });
      await profiles.insert({ ...own, id: "rota", subscriptions: foreigners });
      const subscriptions = [{ recipientId: "strays", schedule: "All", delayMinutes: 0 }];
      await profiles.insert({ ...own, id: "relay", subscriptions });
    });
    await flip(undefined, "failing", noon);
    assert.deepEqual(await waiting(), []);
  });
}

// guard: alerts within the account
test("those of the account are alerted beside ids of another", async () => {
  const { store, flip, waiting } = await stage([
    { carols: "All", "carols-mail": "All", nobody: "All", ben: "All" },
    { "carols-team": "All", "carols-shift": "All" },
  ]);
  await using _ = store;
  await flip(undefined, "failing", noon);
  assert.deepEqual(await waiting(), ["first ben ben-mail"]);
});

for (const { more, recipientsTruncated } of [
  { more: 0, recipientsTruncated: false },
  { more: 1, recipientsTruncated: true },
]) {
  test(`a flip for ${maxRecipients + more} addresses ${recipientsTruncated ? "says that some are not alerted" : "alerts all of them"}`, async () => {
    const { store, flip } = await stage([{ crowd: "All" }]);
    await using _ = store;
    const addresses = Array.from({ length: maxRecipients + more }, (_each, index) =>
      anAddress(`crowd-${index}`),
    );
    await store.write(({ contacts }) => contacts.insert(aContact("crowd", { addresses })));
    assert.deepEqual(await flip(undefined, "failing", noon), { won: true, recipientsTruncated });
    assert.equal(
      (await (await store.at(noon + minute)).alerts.listDue(9999)).length,
      maxRecipients,
    );
    assert.deepEqual(await flip("failing", "passing", noon + 2), {
      won: true,
      recipientsTruncated: false,
    });
  });
}

test("what a flip says is stored once, however many addresses it goes to, and goes with the last alert", async () => {
  const { store, flip } = await stage([{ crowd: "All" }]);
  await using _ = store;
  const addresses = Array.from({ length: 40 }, (_each, index) => anAddress(`crowd-${index}`));
  await store.write(({ contacts }) => contacts.insert(aContact("crowd", { addresses })));
  await flip(undefined, "failing", noon);
  await flip("failing", "passing", noon + 2);
  await flip("passing", "failing", noon + 4);
  assert.deepEqual([store.count("alerts"), store.count("notices")], [120, 3]);
  await store.write(({ accounts }) => accounts.remove(alice.id, noon + 5));
  await (await store.at(noon + minute)).runHousekeeping();
  assert.deepEqual([store.count("alerts"), store.count("notices")], [0, 0]);
});

test("the notice says all that a message needs", async () => {
  const { store, flip, check } = await stage([{ ben: "All" }]);
  await using _ = store;
  await flip(undefined, "failing", noon);
  await store.at(noon + minute);
  await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
  await store.write(({ alerts }) =>
    alerts.finishAttempt("id-2", { status: "delivered", at: noon + minute }),
  );
  await flip("failing", "passing", noon + 5 * minute);
  const [up] = await (await store.at(noon + 9 * minute)).alerts.listDue(9);
  assert.deepEqual(up?.notice, {
    account: { id: alice.id, name: "Alice" },
    check: {
      id: check.id,
      label: "Shop",
      type: "PORT",
      target: "https://shop.example/page",
      intervalMinutes: 1,
      description: "",
    },
    state: "passing",
    previous: "failing",
    since: noon + 4 * minute,
    downForMs: 5 * minute,
    result: {
      id: `check-${noon + 5 * minute}`,
      startedAt: noon + 5 * minute,
      endedAt: noon + 5 * minute + 20,
      runtimeMs: 20,
      reason: "ok",
      text: "text",
      message: "message",
    },
    confirmations: [{ at: noon + 5 * minute, location: "ld", passed: true, message: "message" }],
  });
  assert.equal(up?.kind, "up");
});

for (const { name, aheadMinutes } of [
  { name: "by more than the outage lasted", aheadMinutes: 58 },
  { name: "by less", aheadMinutes: 5 },
])
  test(`an outage that began by a clock that was ahead ${name} lasted as long as it did, and ends under the instant that its alerts said`, async () => {
    const { store, flip, check } = await stage([{ ben: "All" }]);
    await using _ = store;
    const ahead = aheadMinutes * minute;
    await store.at(noon + ahead);
    await flip(undefined, "failing", noon + ahead + 2 * minute);
    await store.at(noon + ahead + 2 * minute);
    await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    await store.write(({ alerts }) =>
      alerts.finishAttempt("id-2", { status: "delivered", at: noon + ahead }),
    );
    // It is set back a moment after.
    await store.write(({ states }) => states.shiftTimesAfter(noon, -ahead));
    await store.at(noon + 2 * minute);
    await flip("failing", "passing", noon + 12 * minute);
    const [up] = await (await store.at(noon + 20 * minute)).alerts.listDue(9);
    assert.equal(up?.checkId, check.id);
    assert.deepEqual(
      [up.notice.downForMs, up.notice.alertedSince],
      [10 * minute, noon + ahead + minute],
    );
  });

test("a recovery cancels what has not begun to leave, and keeps an Up in case it left all the same", async () => {
  const { store, flip, waiting } = await stage([{ ben: { schedule: "All", delay: 10 } }]);
  await using _ = store;
  await flip(undefined, "passing", noon);
  await store.write(({ alerts }) => alerts.drop(["id-2"], "suppressed_first", noon));
  await flip("passing", "failing", noon + minute);
  assert.deepEqual(await waiting(), ["down ben ben-mail"]);
  await flip("failing", "passing", noon + 5 * minute);
  assert.deepEqual(await waiting(), ["up ben ben-mail"]);
  const [, down] = await store.alerts.listNotifications({
    accountIds: [alice.id],
    checkId: undefined,
    from: noon + minute,
    limit: 2,
    dropped: true,
  });
  assert.deepEqual([down?.kind, down?.reason], ["down", "recovered"]);
});

const downs = [
  { name: "was delivered", end: { status: "delivered", at: noon }, up: true },
  {
    name: "failed for good",
    end: { status: "failed", at: noon, reason: "550", possiblySent: false },
    up: false,
  },
  {
    name: "failed but may have arrived",
    end: { status: "failed", at: noon, reason: "lost", possiblySent: true },
    up: true,
  },
  {
    name: "may have arrived and is tried again",
    end: { status: "waiting", nextAttemptAt: noon, possiblySent: true },
    up: true,
  },
  {
    name: "was not wanted but its end is",
    end: { status: "dropped", at: noon, reason: "suppressed_down" },
    up: true,
  },
  {
    name: "fell out of its window",
    end: { status: "dropped", at: noon, reason: "outside_window" },
    up: false,
  },
  {
    name: "met a mute address",
    end: { status: "dropped", at: noon, reason: "address_suppressed" },
    up: false,
  },
] as const;

for (const { name, end, up } of downs) {
  test(`an address whose Down ${name} ${up ? "gets" : "does not get"} the Up`, async () => {
    const { store, flip, waiting } = await stage([{ ben: "All" }]);
    await using _ = store;
    await flip(undefined, "failing", noon);
    await store.at(noon + minute);
    await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    await store.write(({ alerts }) => alerts.finishAttempt("id-2", end));
    await flip("failing", "passing", noon + 5 * minute);
    assert.equal((await waiting()).includes("up ben ben-mail"), up);
  });
}

test("a Down in flight when the check recovers is followed by its Up, never overtaken", async () => {
  const { store, flip } = await stage([{ ben: "All" }]);
  await using _ = store;
  await flip(undefined, "failing", noon);
  const claim = async (now: number): Promise<readonly string[]> => {
    await store.at(now);
    return store.write(async ({ alerts }) =>
      (await alerts.claim({ leaseMs: minute, limit: 9 })).map(({ kind }) => kind),
    );
  };
  assert.deepEqual(await claim(noon + 20), ["first"]);
  await flip("failing", "passing", noon + 2);
  assert.deepEqual(await claim(noon + 30), []);
  await store.write(({ alerts }) =>
    alerts.finishAttempt("id-2", { status: "delivered", at: noon + 40 }),
  );
  assert.deepEqual(await claim(noon + 40), ["up"]);
});

for (const [notifications, alerted] of [
  [[], ["first ben ben-mail"]],
  [[{ mail: "All" }], ["first ann mail"]],
] as const) {
  test(`the account's own recipients are alerted of a check only where it names nobody: ${JSON.stringify(notifications)}`, async () => {
    const { store, flip, waiting } = await stage(notifications, [
      { ben: { delay: 0, schedule: "All" } },
    ]);
    await using _ = store;
    await flip(undefined, "failing", noon + minute);
    assert.deepEqual(await waiting(), alerted);
  });
}

test("a check that was created quietly alerts nobody of a first result that is up, and of all else", async () => {
  for (const [first, alerted] of [
    ["passing", []],
    ["failing", ["first ann mail"]],
  ] as const) {
    const { store, check, flip, waiting } = await stage([{ mail: "All" }]);
    await using _ = store;
    await store.write((tx) => tx.checks.update({ ...check, quietFirst: true }, noon));
    assert.deepEqual(await flip(undefined, first, noon + minute), {
      won: true,
      recipientsTruncated: false,
    });
    assert.deepEqual(await waiting(), alerted);
    if (first === "failing") continue;
    await flip("passing", "failing", noon + 2 * minute);
    assert.deepEqual(await waiting(), ["down ann mail"]);
  }
});
