import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../domain/check.ts";
import { noSuppressions } from "../../domain/contact/contact.ts";
import { DeliveryFailed } from "../../kit/errors.ts";
import type { Transaction } from "../../store/store.ts";
import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
} from "../../../test/harnesses/notifier-harness.ts";
import { aFlip, alice, anAlert, minute, noon } from "../../../test/record-builders.ts";

const hour = 60 * minute;

function change(bench: NotifierHarness, changes: Partial<Check>): Promise<void> {
  const [check] = bench.checks;
  assert.ok(check !== undefined);
  return bench.store.write((tx) => tx.checks.update({ ...check, ...changes }, bench.clock.now()));
}

/** The Down waits for this, and nothing is sent. */
async function waitsFor(bench: NotifierHarness, reason: string): Promise<void> {
  await bench.until(`it waits for ${reason}`, async () =>
    (await bench.ends()).includes(`first waiting ${reason}`),
  );
  assert.deepEqual(bench.sent, []);
}

/** Lets time pass in which the notifier looks now and then. */
async function pass({ clock }: NotifierHarness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2 * minute) {
    clock.jump(2 * minute);
    await clock.advance(100);
  }
}

async function endsAs(bench: NotifierHarness, ...expected: readonly string[]): Promise<void> {
  await bench.until(`it ends as ${expected.join(", ")}`, async () => {
    const ends = await bench.ends();
    return ends.length === expected.length && ends.every((end) => !end.includes("waiting"));
  });
  assert.deepEqual(await bench.ends(), expected);
}

const mutes = [
  { name: "for good", mute: true, isSent: false },
  { name: "until later", mute: noon + hour, isSent: false },
  { name: "until an instant that is over", mute: noon - hour, isSent: true },
] as const;

for (const { name, mute, isSent } of mutes) {
  test(`a check that is muted ${name} ${isSent ? "sends its alerts" : "sends nothing"}`, async () => {
    await using bench = await notifierHarness();
    await change(bench, { mute });
    await bench.flip(undefined, "failing");
    await (isSent ? endsAs(bench, "first delivered") : waitsFor(bench, "check_muted"));
    assert.equal(bench.sent.length, isSent ? 1 : 0);
  });
}

test("a Down waits for the end of the mute, and is sent then, once, with its Up", async () => {
  await using bench = await notifierHarness();
  await change(bench, { mute: noon + hour });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "check_muted");
  await pass(bench, hour);
  await endsAs(bench, "first delivered");
  await bench.flip("failing", "passing");
  await endsAs(bench, "first delivered", "up delivered");
  assert.equal(bench.sent.length, 2);
});

test("a mute that is lifted lets the Down go at once", async () => {
  await using bench = await notifierHarness();
  await change(bench, { mute: true });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "check_muted");
  await change(bench, { mute: false });
  const liftedAt = bench.clock.monotonic();
  await endsAs(bench, "first delivered");
  assert.ok(bench.clock.monotonic() - liftedAt < minute);
});

test("the mute of an address is no other", async () => {
  await using bench = await notifierHarness({
    addresses: [hookAddress("ann", { mute: noon + hour })],
  });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "address_muted");
  await pass(bench, hour);
  await endsAs(bench, "first delivered");
});

test("an outage that ends within the mute is told to nobody, nor is its end", async () => {
  await using bench = await notifierHarness();
  await change(bench, { mute: noon + hour });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "check_muted");
  await bench.flip("failing", "passing");
  await pass(bench, hour);
  await endsAs(bench, "first dropped recovered", "up dropped down_not_sent");
  assert.deepEqual(bench.sent, []);
});

test("a mute is judged when the alert is due, not when the check flipped", async () => {
  await using bench = await notifierHarness({
    addresses: [hookAddress("soon"), hookAddress("late")],
    notifications: [{ soon: "All" }, { late: { schedule: "All", delay: 90 } }],
  });
  await change(bench, { mute: noon + hour });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "check_muted");
  await pass(bench, 90 * minute);
  await endsAs(bench, "first delivered", "first delivered");
});

test("a check that is muted after its Down still sends the Up, for the Down would be believed", async () => {
  await using bench = await notifierHarness();
  await bench.flip(undefined, "failing");
  await endsAs(bench, "first delivered");
  await change(bench, { mute: true });
  await bench.flip("failing", "passing");
  await endsAs(bench, "first delivered", "up delivered");
});

test("no Up follows a Down that was muted, though the address did not want the Down either", async () => {
  const suppress = { ...noSuppressions, down: true, first: true };
  await using bench = await notifierHarness({ addresses: [hookAddress("ann", { suppress })] });
  await change(bench, { mute: true });
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "check_muted");
  await bench.flip("failing", "passing");
  await change(bench, { mute: false });
  await endsAs(bench, "first dropped recovered", "up dropped down_not_sent");
});

test("a retry goes on though its check was muted meanwhile", async () => {
  let tries = 0;
  await using bench = await notifierHarness({
    sender: () => {
      tries += 1;
      return tries === 1
        ? Promise.reject(new DeliveryFailed("503 later", { retryable: true }))
        : Promise.resolve({ response: "200 OK" });
    },
  });
  await bench.flip(undefined, "failing");
  await bench.until("it was tried", () => tries === 1);
  await change(bench, { mute: true });
  await endsAs(bench, "first delivered");
});

const dependencies: readonly {
  readonly name: string;
  readonly before: (tx: Transaction, dependency: Check) => Promise<unknown>;
  readonly isSent: boolean;
}[] = [
  {
    name: "fails",
    before: ({ states }, { no }) => states.flip(aFlip(no)),
    isSent: false,
  },
  {
    name: "passes",
    before: ({ states }, { no }) => states.flip(aFlip(no, { to: "passing" })),
    isSent: true,
  },
  { name: "has no state yet", before: async () => undefined, isSent: true },
  {
    name: "failed and was switched off",
    before: async ({ states, checks }, dependency) => {
      await states.flip(aFlip(dependency.no));
      await checks.update({ ...dependency, enabled: false }, noon);
    },
    isSent: true,
  },
  {
    name: "failed and was switched off with all others",
    before: async ({ states, checks }, dependency) => {
      await states.flip(aFlip(dependency.no));
      await checks.update({ ...dependency, disabledWithAll: true }, noon);
    },
    isSent: true,
  },
  {
    name: "failed and was deleted",
    before: async ({ states, checks }, { no, id }) => {
      await states.flip(aFlip(no));
      await checks.remove(alice.id, id, noon);
    },
    isSent: true,
  },
];

for (const { name, before, isSent } of dependencies) {
  test(`a check whose dependency ${name} ${isSent ? "sends its alerts" : "sends nothing"}`, async () => {
    await using bench = await notifierHarness({ checks: 2 });
    const [, dependency] = bench.checks;
    assert.ok(dependency !== undefined);
    await change(bench, { dependsOn: dependency.id });
    await bench.store.write((tx) => before(tx, dependency));
    await bench.flip(undefined, "failing");
    await (isSent ? endsAs(bench, "first delivered") : waitsFor(bench, "dependency_down"));
  });
}

test("a Down waits until the dependency is up again, and is sent a minute later", async () => {
  await using bench = await notifierHarness({ checks: 2 });
  const [, dependency] = bench.checks;
  assert.ok(dependency !== undefined);
  await change(bench, { dependsOn: dependency.id });
  await bench.store.write(({ states }) => states.flip(aFlip(dependency.no)));
  await bench.flip(undefined, "failing");
  await waitsFor(bench, "dependency_down");
  await pass(bench, 10 * minute);
  await waitsFor(bench, "dependency_down");
  assert.equal(bench.events.filter((event) => event === "notifier.postponed").length, 1);
  await bench.store.write(({ states }) =>
    states.flip(aFlip(dependency.no, { id: "back", from: "failing", to: "passing" })),
  );
  const upAt = bench.clock.monotonic();
  await endsAs(bench, "first delivered");
  assert.ok(bench.clock.monotonic() - upAt <= 66_000);
});

test("an Up is sent though the dependency fails", async () => {
  await using bench = await notifierHarness({ checks: 2 });
  const [, dependency] = bench.checks;
  assert.ok(dependency !== undefined);
  await change(bench, { dependsOn: dependency.id });
  await bench.flip(undefined, "failing");
  await endsAs(bench, "first delivered");
  await bench.store.write(({ states }) => states.flip(aFlip(dependency.no)));
  await bench.flip("failing", "passing");
  await endsAs(bench, "first delivered", "up delivered");
});

test("an attempt that was lost with its process before the alert was judged skips no mute, and no Up follows", async () => {
  await using bench = await notifierHarness();
  const [check] = bench.checks;
  assert.ok(check !== undefined);
  await bench.store.write(async ({ checks, states, alerts }) => {
    await checks.update({ ...check, mute: true }, bench.clock.now());
    await states.flip(aFlip(check.no, { id: "outage" }));
    await alerts.insert(
      anAlert("lost", check, { outage: "outage", contactId: "ann", addressId: "ann" }),
    );
    await alerts.claim({ leaseMs: minute, limit: 9 });
  });
  await bench.until("it is claimed again", async () =>
    (await bench.ends()).includes("down waiting check_muted"),
  );
  await bench.flip("failing", "passing");
  await bench.until("both are dropped", async () =>
    (await bench.ends()).every((end) => !end.includes("waiting")),
  );
  assert.deepEqual((await bench.ends()).toSorted(), [
    "down dropped recovered",
    "up dropped down_not_sent",
  ]);
  assert.deepEqual(bench.sent, []);
});
