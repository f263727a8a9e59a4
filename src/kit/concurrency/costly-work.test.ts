import assert from "node:assert/strict";
import { test } from "node:test";

import { drainEventLoop, fakeClock, type FakeClock } from "../../../test/time/fake-clock.ts";
import { codeOf } from "../errors.ts";
import { accountAsker, knownAddressAsker, knownAsker, strangerAsker } from "./askers.ts";
import { createCostlyWork, type Asker, type CostlyWork } from "./costly-work.ts";

const LIMITS = {
  most: 2,
  maxOfStrangers: 1,
  maxWaiting: 64,
  maxWaitMs: 10_000,
  refusal: "too busy",
};
/** CPU time of hashing a password. */
const WORK_MS = 330;

interface Site {
  readonly clock: FakeClock;
  readonly work: CostlyWork;
  /** Returns the duration in ms, or the code of the refusal. */
  readonly ask: (asker: Asker) => Promise<number | string | undefined>;
}

function site(limits: Partial<typeof LIMITS> = {}): Site {
  const clock = fakeClock();
  const work = createCostlyWork(clock, { ...LIMITS, ...limits });
  const ask: Site["ask"] = async (asker) => {
    const from = clock.monotonic();
    try {
      await work.run(
        asker,
        () => new Promise<void>((resolve) => void clock.setTimer(resolve, WORK_MS)),
      );
      return clock.monotonic() - from;
    } catch (error) {
      return codeOf(error);
    }
  };
  return { clock, work, ask };
}

/** The order in which they end that ask at once, while everything is taken. */
async function orderOf(
  askers: readonly (readonly [name: string, asker: Asker])[],
): Promise<string[]> {
  const { clock, work, ask } = site({ most: 1 });
  void ask(strangerAsker("192.0.2.1"));
  const ended: string[] = [];
  const all = askers.map(([name, asker]) => work.run(asker, async () => void ended.push(name)));
  await clock.advance(WORK_MS);
  await Promise.all(all);
  return ended;
}

// guard: lanes of passwords
test("browsers that signed in before go first, then accounts and addresses that did, then strangers", async () => {
  assert.deepEqual(
    await orderOf([
      ["stranger", strangerAsker("198.51.100.1")],
      ["address", knownAddressAsker("198.51.100.2")],
      ["device", knownAsker("device a", "198.51.100.3")],
      ["account", accountAsker("alice")],
    ]),
    ["device", "account", "address", "stranger"],
  );
});

test("of strangers those go first whose network asked least, and of those the newest", async () => {
  assert.deepEqual(
    await orderOf([
      ["one", strangerAsker("198.51.100.1")],
      ["its neighbor", strangerAsker("198.51.100.2")],
      ["older", strangerAsker("203.0.113.1")],
      ["newer", strangerAsker("10.0.0.1")],
    ]),
    ["newer", "older", "one", "its neighbor"],
  );
});

// guard: networks of strangers
test("networks of IPv6 are counted by /56, and by the /48 that holds many", async () => {
  const ofHolder = (site: number) => strangerAsker(`2001:db8:1:${site.toString(16)}00::`);
  assert.deepEqual(
    await orderOf([
      ["first of a /56", strangerAsker("2001:db8:2:1::")],
      ["second of it", strangerAsker("2001:db8:2:2::")],
      ...Array.from({ length: 4 }, (_, index) => [`site ${index}`, ofHolder(index)] as const),
      ["another holder", strangerAsker("2001:db8:3::")],
    ]),
    ["another holder", "site 0", "first of a /56", "site 1", "site 2", "site 3", "second of it"],
  );
});

// guard: a place that strangers leave
test("strangers leave a place free, so that nobody else waits for one of theirs to end", async () => {
  const { clock, ask } = site();
  for (let index = 0; index < 4; index += 1) void ask(strangerAsker(`10.${index}.0.1`));
  await drainEventLoop();
  const known = ask(knownAsker("device", "192.0.2.1"));
  await clock.advance(WORK_MS);
  assert.equal(await known, WORK_MS);
});

// guard: known addresses that ask too much
test("a known address that asks more than a person waits as a stranger", async () => {
  const known = Array.from(
    { length: 13 },
    (_, index) => [`known ${index}`, knownAddressAsker("198.51.100.1")] as const,
  );
  const order = await orderOf([...known, ["stranger", strangerAsker("203.0.113.1")]]);
  assert.equal(order.indexOf("stranger"), 11);
});

test("what a network asked for is forgotten by half in ten minutes", async () => {
  const { clock, ask, work } = site({ most: 1 });
  for (let times = 0; times < 4; times += 1) {
    void ask(strangerAsker("198.51.100.1"));
    await clock.advance(WORK_MS);
  }
  await clock.advance(1_200_000);
  for (let times = 0; times < 2; times += 1) {
    void ask(strangerAsker("203.0.113.1"));
    await clock.advance(WORK_MS);
  }
  void ask(accountAsker("alice"));
  const ended: string[] = [];
  void work.run(strangerAsker("203.0.113.1"), async () => void ended.push("two now"));
  void work.run(strangerAsker("198.51.100.1"), async () => void ended.push("four before"));
  await clock.advance(WORK_MS);
  assert.deepEqual(ended, ["four before", "two now"]);
});

// guard: passwords that wait
test("of too many that wait the last in line is refused at once, and whoever waits too long", async () => {
  const { clock, ask } = site({ most: 1, maxWaiting: 2 });
  void ask(accountAsker("alice"));
  const results: unknown[] = [];
  const note = (name: string, asker: Asker): void =>
    void ask(asker).then((result) => results.push([name, result]));
  note("a", strangerAsker("198.51.100.1"));
  note("a again", strangerAsker("198.51.100.1"));
  note("b", strangerAsker("203.0.113.1"));
  await drainEventLoop();
  assert.deepEqual(results, [["a again", "unavailable"]]);
  await clock.advance(3 * WORK_MS);
  assert.deepEqual(results.slice(1), [
    ["b", 2 * WORK_MS],
    ["a", 3 * WORK_MS],
  ]);
  const stuck = createCostlyWork(clock, { ...LIMITS, most: 1 });
  void stuck.run(accountAsker("alice"), () => new Promise(() => {}));
  const waits = assert.rejects(
    stuck.run(accountAsker("bob"), async () => {}),
    { code: "unavailable", message: "too busy" },
  );
  await clock.advance(10_000);
  await waits;
});

for (const [name, addressOf] of [
  ["256 networks of IPv4", (index: number) => `${20 + (index % 200)}.${index}.7.1`],
  [
    "one /48 of IPv6 with 256 networks",
    (index: number) => `2001:db8:5:${(index * 256).toString(16)}::`,
  ],
] as const) {
  // guard: order of strangers
  test(`while ${name} send 24 attempts a second, honest people wait less than two seconds`, async () => {
    const { clock, ask } = site();
    const second = 1000;
    let attempt = 0;
    const flood = async (seconds: number): Promise<void> => {
      for (let tick = 0; tick < seconds * 24; tick += 1) {
        void ask(strangerAsker(addressOf((attempt += 1) % 256)));
        await clock.advance(second / 24);
      }
    };
    // Once each network has had a first attempt, a new one goes ahead of all of them.
    await flood(60);
    const waited: unknown[] = [];
    for (let person = 0; person < 10; person += 1) {
      for (const asker of [
        strangerAsker(`198.18.${person}.1`),
        knownAddressAsker(`198.19.${person}.1`),
        knownAsker(`device ${person}`, "20.0.7.1"),
      ])
        void ask(asker).then((result) => waited.push(result));
      await flood(3);
    }
    assert.equal(waited.length, 30);
    const slow = waited.filter((result) => typeof result !== "number" || result > 2 * second);
    assert.deepEqual(slow, []);
  });
}
