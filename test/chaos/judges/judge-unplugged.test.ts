import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeUnplugged, type LinkStory } from "./judge-unplugged.ts";

const well = { id: "a", state: 1, trouble: undefined };
const undecided = { ...well, trouble: "undecided" };
const down = { ...well, state: 0 };
const first = { check: "a", isUp: true, outage: null };

const story: LinkStory = {
  before: [well],
  samples: [well, undecided],
  after: [well],
  receipts: [first],
};

suite("a check behind a link that is unplugged", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes?: Partial<LinkStory>;
    readonly found: readonly string[];
    readonly hasMet?: boolean;
  }[] = [
    { name: "is right where it has no verdict meanwhile, and passes then", found: [] },
    {
      name: "did not meet the trouble where it always has a verdict",
      changes: { samples: [well] },
      found: [],
      hasMet: false,
    },
    {
      name: "is wrong where it is called down, which is said once",
      changes: { samples: [undecided, down, down] },
      found: ["false"],
    },
    {
      name: "is wrong where somebody is alerted, and told that it is over",
      changes: {
        receipts: [
          first,
          { check: "a", isUp: false, outage: "a-1" },
          { check: "a", isUp: true, outage: "a-1" },
        ],
      },
      found: ["unexpected"],
    },
    {
      name: "is wrong where it does not pass once the link is back",
      changes: { after: [undecided] },
      found: ["missed"],
    },
    {
      name: "is wrong where it did not pass before",
      changes: { before: [{ ...well, state: undefined }] },
      found: ["missed"],
    },
  ];
  for (const { name, changes, found, hasMet = true } of rows)
    test(name, () => {
      const judged = judgeUnplugged({ ...story, ...changes });
      assert.deepEqual(
        judged.findings.map(({ kind }) => kind),
        found,
      );
      assert.equal(judged.hasMet, hasMet);
    });
});
