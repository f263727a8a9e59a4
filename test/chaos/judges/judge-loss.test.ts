import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeLoss, type LossStory } from "./judge-loss.ts";
import type { Beat } from "./judge-states.ts";

const lostAt = Date.UTC(2026, 10, 29);
const said = (afterMs: number): string =>
  `{"level":"info","event":"x"}\n${JSON.stringify({ level: "error", time: new Date(lostAt + afterMs).toISOString(), event: "main.files_gone" })}\n`;
const beat = (outcome: Beat["outcome"]): Beat => ({ from: 0, to: 1, isPassing: true, outcome });

const story: LossStory = {
  end: 78,
  log: said(3000),
  lostAt,
  beats: [beat("unknown"), beat("unknown")],
  hasStalled: false,
};

suite("a process that lost files of its database", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes?: Partial<LossStory>;
    readonly wrong: readonly string[];
    readonly hasNoticed?: boolean;
  }[] = [
    { name: "is right where it notices that, refuses heartbeats, and ends", wrong: [] },
    {
      name: "is wrong where it acknowledges a heartbeat",
      changes: { beats: [beat("unknown"), beat("stored")] },
      wrong: ["forgotten: 1 heartbeats were acknowledged into nothing"],
    },
    {
      name: "is wrong where it does not notice",
      changes: { end: undefined, log: "" },
      wrong: ["unready: it still runs", "unready: it did not say why it ends"],
      hasNoticed: false,
    },
    {
      name: "is wrong where it ends as if all were well",
      changes: { end: 0, log: "" },
      wrong: ["unready: it ended with 0", "unready: it did not say why it ends"],
      hasNoticed: false,
    },
    {
      name: "is wrong where it notices late",
      changes: { log: said(9000) },
      wrong: ["unready: it noticed that 9000 ms later"],
    },
    {
      name: "is right where the machine was too busy for that",
      changes: { log: said(9000), hasStalled: true },
      wrong: [],
    },
  ];
  for (const { name, changes, wrong, hasNoticed = true } of rows)
    test(name, () => {
      const judged = judgeLoss({ ...story, ...changes });
      assert.deepEqual(
        judged.wrong.map(({ kind, what }) => `${kind}: ${what}`),
        wrong,
      );
      assert.equal(judged.hasNoticed, hasNoticed);
    });
});
