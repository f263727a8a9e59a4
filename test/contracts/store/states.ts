import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../src/domain/check.ts";
import type { Transaction } from "../../../src/store/store.ts";
import { aCheck, aFlip, alice, bob, carol, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

const forever = [0, Number.MAX_SAFE_INTEGER] as const;

export function stateContract(open: OpenStore): void {
  test("recent spans have who acknowledged an outage, and whether it was cut short", async () => {
    await using store = await open();
    const at = (minutes: number): number => noon + minutes * minute;
    const [ended, open_, cut] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("ended")),
      await checks.insert(aCheck("open")),
      await checks.insert(aCheck("cut")),
    ]);
    assert.ok(ended && open_ && cut);
    await store.write(async ({ states, checks }) => {
      for (const [index, { no, id }] of [ended, open_, cut].entries())
        await states.flip(aFlip(no, { id, since: at(index + 1) }));
      await states.acknowledge(ended.no, "ended", { at: at(4), by: "Ann", note: "" });
      await states.acknowledge(open_.no, "open", { at: at(4), by: "Ann", note: "" });
      await states.acknowledge(open_.no, "open", undefined);
      const up = { id: "up", from: "failing", to: "passing", since: at(6) } as const;
      await states.flip(aFlip(ended.no, up));
      await checks.update({ ...cut, enabled: false }, at(5));
    });
    const recent = async (from: number, limit = 10) =>
      (await store.states.listRecentSpans(alice.id, from, limit)).map(
        ({ checkId, start, end, isCut, acknowledged }) => [
          checkId,
          start,
          end,
          isCut,
          acknowledged?.by,
        ],
      );
    assert.deepEqual(await recent(noon), [
      ["ended", at(1), at(6), false, "Ann"],
      ["cut", at(3), at(5), true, undefined],
      ["open", at(2), undefined, false, undefined],
    ]);
    assert.deepEqual(
      (await recent(at(3), 1)).map(([id]) => id),
      ["ended"],
    );
    assert.deepEqual(
      (await recent(at(6))).map(([id]) => id),
      ["ended"],
    );
    assert.deepEqual([...(await store.states.listOpenDownSpans(alice.id)).keys()], [open_.no]);
    assert.deepEqual(await store.states.listRecentSpans(carol.id, noon, 10), []);
    assert.equal((await store.states.listOpenDownSpans(carol.id)).size, 0);
  });

  test("a flip to failing begins an outage and its down span, and a flip back ends both", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    assert.deepEqual(await store.states.get(no), {
      state: undefined,
      downSince: undefined,
      outage: undefined,
      outageSince: undefined,
      failingLocations: [],
    });
    const down = aFlip(no, { id: "outage", since: noon + minute, at: noon + 2 * minute });
    assert.equal(await store.write(({ states }) => states.flip(down)), true);
    assert.deepEqual(await store.states.get(no), {
      state: "failing",
      downSince: noon + minute,
      outage: "outage",
      outageSince: noon + minute,
      failingLocations: [],
    });
    assert.deepEqual(
      (await store.checks.find(alice.id, "check"))?.state,
      await store.states.get(no),
    );
    assert.deepEqual(await store.states.listDownSpans(no, ...forever), [
      { start: noon + minute, end: undefined, text: "Refused", message: "connection refused" },
    ]);
    assert.deepEqual(await store.states.listCurrentEvents(alice.id), [
      { checkId: "check", label: "check", kind: "down", since: noon + minute },
    ]);
    for (const stranger of [bob, carol])
      assert.deepEqual(await store.states.listCurrentEvents(stranger.id), []);

    const up = aFlip(no, {
      id: "end",
      from: "failing",
      to: "passing",
      since: noon + 5 * minute,
      at: noon + 6 * minute,
    });
    assert.equal(await store.write(({ states }) => states.flip(up)), true);
    assert.deepEqual(await store.states.get(no), {
      state: "passing",
      downSince: undefined,
      outage: undefined,
      outageSince: undefined,
      failingLocations: [],
    });
    assert.deepEqual(
      (await store.states.listDownSpans(no, ...forever)).map(({ start, end }) => [start, end]),
      [[noon + minute, noon + 5 * minute]],
    );
    assert.deepEqual(await store.states.listCurrentEvents(alice.id), []);
  });

  test("a first pass begins no outage", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    assert.equal(
      await store.write(({ states }) => states.flip(aFlip(no, { to: "passing" }))),
      true,
    );
    assert.deepEqual(await store.states.get(no), {
      state: "passing",
      downSince: undefined,
      outage: undefined,
      outageSince: undefined,
      failingLocations: [],
    });
    assert.deepEqual(await store.states.listDownSpans(no, ...forever), []);
  });

  test("of two who flip the same check at the same time one wins", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const ids = ["one", "other"];
    const won = await Promise.all(
      ids.map((id) => store.write(({ states }) => states.flip(aFlip(no, { id })))),
    );
    const winners = ids.filter((_, at) => won[at]);
    assert.equal(winners.length, 1);
    assert.equal((await store.states.get(no)).outage, winners[0]);
    assert.equal((await store.states.listDownSpans(no, ...forever)).length, 1);
  });

  const losers = [
    { name: "another state", changes: { from: "passing" } },
    { name: "an older configuration", changes: { revision: 0 } },
    { name: "a newer configuration", changes: { revision: 2 } },
    { name: "a check that is not there", changes: { checkNo: 1000 } },
  ] as const;
  for (const { name, changes } of losers) {
    test(`a flip from ${name} changes nothing`, async () => {
      await using store = await open();
      const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
      assert.equal(await store.write(({ states }) => states.flip(aFlip(no, changes))), false);
      assert.equal((await store.states.get(no)).state, undefined);
      assert.deepEqual(await store.states.listDownSpans(no, ...forever), []);
    });
  }

  type SwitchOff = (tx: Transaction, check: Check) => Promise<unknown>;
  const off: readonly { readonly name: string; readonly switchOff: SwitchOff }[] = [
    {
      name: "is disabled",
      switchOff: ({ checks }, check) => checks.update({ ...check, enabled: false }, noon),
    },
    {
      name: "is disabled with all",
      switchOff: ({ checks }) => checks.disableAll(alice.id, true, noon),
    },
    {
      name: "belongs to a suspended account",
      switchOff: ({ accounts }) => accounts.update({ ...alice, status: "suspended" }, noon),
    },
  ];
  for (const { name, switchOff } of off) {
    test(`a check that ${name} neither flips nor resumes`, async () => {
      await using store = await open();
      const { no } = await store.write(async (tx) => {
        const check = await tx.checks.insert(aCheck("check"));
        await tx.states.flip(aFlip(check.no));
        await switchOff(tx, check);
        return check;
      });
      const before = await store.states.listDownSpans(no, ...forever);
      const up = aFlip(no, { id: "up", from: "failing", to: "passing" });
      assert.equal(await store.write(({ states }) => states.flip(up)), false);
      await store.write(({ states }) =>
        states.reopenDownSpan(no, { since: noon + minute, revision: 1, text: "", message: "" }),
      );
      assert.deepEqual(await store.states.listDownSpans(no, ...forever), before);
      assert.equal((await store.states.get(no)).state, "failing");
      assert.equal(await store.checks.findActive(no), undefined);
    });
  }

  test("a failing check that was off goes on being down in a span of its own, once", async () => {
    await using store = await open();
    const { no } = await store.write(async ({ checks, states }) => {
      const check = await checks.insert(aCheck("check"));
      await states.flip(aFlip(check.no));
      await checks.disableAll(alice.id, true, noon + 2 * minute);
      await checks.disableAll(alice.id, false, noon + 3 * minute);
      return check;
    });
    const seen = { text: "Timeout", message: "no answer" };
    const reopen = (since: number, revision = 2): Promise<boolean> =>
      store.write(({ states }) => states.reopenDownSpan(no, { ...seen, since, revision }));
    assert.equal(await reopen(noon + 4 * minute, 1), false, "found before it was off");
    assert.equal(await reopen(noon + 4 * minute), true);
    assert.equal(await reopen(noon + 5 * minute), false);
    assert.deepEqual(await store.states.listDownSpans(no, ...forever), [
      {
        start: noon + minute,
        end: noon + 2 * minute,
        text: "Refused",
        message: "connection refused",
      },
      { start: noon + 4 * minute, end: undefined, ...seen },
    ]);
    assert.equal((await store.states.get(no)).outage, "flip");
    const up = aFlip(no, {
      id: "up",
      from: "failing",
      to: "passing",
      since: noon + 6 * minute,
      revision: 2,
    });
    assert.equal(await store.write(({ states }) => states.flip(up)), true);
    assert.equal((await store.states.listDownSpans(no, ...forever))[1]?.end, noon + 6 * minute);
    assert.equal(await reopen(noon + 7 * minute), false);
    assert.equal((await store.states.listDownSpans(no, ...forever)).length, 2);
  });

  const breaks: readonly {
    readonly name: string;
    readonly switchTo: (tx: Transaction, on: boolean) => Promise<unknown>;
  }[] = [
    {
      name: "all checks were off",
      switchTo: ({ checks }, on) => checks.disableAll(alice.id, !on, noon + minute),
    },
    {
      name: "the account was suspended",
      switchTo: ({ accounts }, on) =>
        accounts.update({ ...alice, status: on ? "active" : "suspended" }, noon + minute),
    },
  ];
  for (const { name, switchTo } of breaks) {
    test(`what was found before ${name} flips nothing once it is on again, and opens no down span before that`, async () => {
      await using store = await open();
      const [passing, failing] = await store.write(async (tx) => {
        const made = [
          await tx.checks.insert(aCheck("passing")),
          await tx.checks.insert(aCheck("failing")),
        ] as const;
        await tx.states.flip(aFlip(made[1].no));
        await switchTo(tx, false);
        await switchTo(tx, true);
        return made;
      });
      assert.equal(await store.write(({ states }) => states.flip(aFlip(passing.no))), false);
      const { runRevision: revision } =
        (await store.checks.findActive(passing.no))?.check ?? aCheck("gone");
      assert.equal(
        await store.write(({ states }) => states.flip(aFlip(passing.no, { id: "new", revision }))),
        true,
      );
      await store.write(({ states }) =>
        states.reopenDownSpan(failing.no, { since: noon + 1, revision, text: "", message: "" }),
      );
      const spans = await store.states.listDownSpans(failing.no, ...forever);
      assert.equal(spans.at(-1)?.start, noon + minute);
      assert.equal((await store.states.get(failing.no)).downSince, noon + minute);
    });
  }

  test("spans are those that touch the asked stretch, its end excluded", async () => {
    await using store = await open();
    const { no } = await store.write(async ({ checks }) => {
      const check = await checks.insert(aCheck("check"));
      await checks.disableAll(alice.id, true, noon + 10);
      await checks.disableAll(alice.id, false, noon + 20);
      return check;
    });
    const startsOf = async (from: number, to: number): Promise<readonly number[]> =>
      (await store.states.listEnabledSpans(no, from, to)).map(({ start }) => start - noon);
    assert.deepEqual(await startsOf(noon, noon + 20), [0]);
    assert.deepEqual(await startsOf(noon + 9, noon + 21), [0, 20]);
    assert.deepEqual(await startsOf(noon + 10, noon + 20), []);
    assert.deepEqual(await startsOf(noon + 1000, noon + 2000), [20]);
  });

  test("a disabled check counts as disabled, whatever its state, since it was switched off or made", async () => {
    await using store = await open();
    await store.write(async ({ checks, states }) => {
      await checks.insert(aCheck("never-on", { enabled: false, createdAt: noon + 7 }));
      const check = await checks.insert(aCheck("failing"));
      await states.flip(aFlip(check.no));
      await checks.disableAll(alice.id, true, noon + 2 * minute);
    });
    assert.deepEqual(await store.states.listCurrentEvents(alice.id), [
      { checkId: "never-on", label: "never-on", kind: "disabled", since: noon + 7 },
      { checkId: "failing", label: "failing", kind: "disabled", since: noon + 2 * minute },
    ]);
  });

  test("trouble stays with the check until it is cleared", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const trouble = {
      kind: "undecided",
      reason: "blocked",
      message: "no",
      firstTick: noon,
      lastTick: noon + minute,
      ticks: 2,
    } as const;
    await store.write(({ states }) => states.recordGap(no, trouble));
    assert.deepEqual((await store.checks.find(alice.id, "check"))?.openGap, trouble);
    assert.deepEqual((await store.checks.findActive(no))?.openGap, trouble);
    await store.write(({ states }) => states.closeGaps([no]));
    assert.equal((await store.checks.find(alice.id, "check"))?.openGap, undefined);
  });

  test("the failing locations of a check are read wherever its state is, until there are none", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const failing = [{ location: "ny", since: noon, reason: "timeout" }];
    const everywhere = async () => {
      const lists = [
        (await store.states.get(no)).failingLocations,
        (await store.checks.find(alice.id, "check"))?.state.failingLocations,
        (await store.checks.findActive(no))?.failingLocations,
      ];
      for await (const page of store.checks.listStatuses(alice.id, {}))
        lists.push(...page.map(({ failingLocations }) => failingLocations));
      return lists;
    };
    await store.write(({ states }) => states.setFailingLocations(no, failing));
    assert.deepEqual(await everywhere(), [failing, failing, failing, failing]);
    await store.write(({ states }) => states.setFailingLocations(no, []));
    assert.deepEqual(await everywhere(), [[], [], [], []]);
  });
}
