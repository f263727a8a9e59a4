import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeWaiting, type StartSample } from "./judge-waiting.ts";

const silent = { end: undefined, unready: "fetch failed" };
const waiting = {
  end: undefined,
  unready: "waiting for the database: the database is a standby that takes no writes",
};

suite("a process that starts while PostgreSQL recovers", () => {
  const rows: readonly {
    readonly name: string;
    readonly samples: readonly StartSample[];
    readonly wrong: readonly string[];
    readonly hasWaited: boolean;
  }[] = [
    { name: "is right where it waits", samples: [silent, waiting], wrong: [], hasWaited: true },
    {
      name: "was not met where it was not there before the end",
      samples: [silent, { ...silent, unready: "waiting for the database: connect ECONNREFUSED" }],
      wrong: [],
      hasWaited: false,
    },
    {
      name: "is wrong where it ends, which is said once",
      samples: [waiting, { ...silent, end: 1 }, { ...silent, end: 1 }],
      wrong: ["ended with 1 while PostgreSQL recovered"],
      hasWaited: true,
    },
    {
      name: "is wrong where it says that it is ready",
      samples: [waiting, { end: undefined, unready: undefined }],
      wrong: ["was ready while PostgreSQL recovered"],
      hasWaited: true,
    },
  ];
  for (const { name, samples, ...found } of rows)
    test(name, () => assert.deepEqual(judgeWaiting(samples), found));
});
