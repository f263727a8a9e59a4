import assert from "node:assert/strict";

import type { ConformanceFixture, RowTests } from "../fixture.ts";
import { pushedCheck } from "../check-drivers.ts";

interface Range {
  readonly name: string;
  readonly min: unknown;
  readonly max: unknown;
}

/** Asserts how each payload leaves a check of Alice's that tracks these metrics: passing (1) or failing (0). */
async function assertJudged(
  cast: ConformanceFixture,
  fields: readonly Range[],
  payloads: readonly (readonly [data: object | undefined, state: 0 | 1])[],
): Promise<void> {
  const { ask, alice } = cast;
  for (const [data, state] of payloads) {
    const { id, heartbeat } = await pushedCheck(cast, {
      fields: Object.fromEntries(fields.map((field, index) => [`field${index}`, field])),
    });
    const { status, body } = await heartbeat(data);
    assert.deepEqual([status, body], [200, { success: true }]);
    const { body: check } = await ask(alice, `GET /checks/${id}`);
    assert.equal(check.state, state, JSON.stringify(data));
  }
}

export const pushPayload = {
  data: async (cast) => {
    await assertJudged(
      cast,
      [{ name: "load", min: 0, max: 1 }],
      [
        [{ load: 0.5 }, 1],
        [{ load: 0.5, disk: 4000 }, 1],
        [{ disk: 4000 }, 0],
        [undefined, 0],
      ],
    );
    await assertJudged(
      cast,
      [],
      [
        [undefined, 1],
        [{}, 1],
        [{ load: 0.5 }, 1],
      ],
    );
    const { id, query } = await pushedCheck(cast);
    const answer = await cast.push(query, { body: JSON.stringify({ data: 7 }) });
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: "data: must be an object of metrics" }],
    );
    assert.deepEqual((await cast.ask(cast.alice, `GET /results/${id}`)).body, []);
  },

  "dotted paths": (cast) =>
    assertJudged(
      cast,
      [
        { name: "memory.free", min: 100, max: 1000 },
        { name: "disks.1.mounts.0.used", min: 0, max: 90 },
      ],
      [
        [{ memory: { free: 500 }, disks: [{}, { mounts: [{ used: 50 }] }] }, 1],
        [{ memory: { free: 500 }, disks: [{}, { mounts: [{ used: 95 }] }] }, 0],
        [{ memory: { free: 500 }, disks: [{ mounts: [{ used: 50 }] }] }, 0],
        [{ memory: { free: 50 }, disks: [{}, { mounts: [{ used: 50 }] }] }, 0],
        [{ "memory.free": 500, disks: { 1: { mounts: { 0: { used: 50 } } } } }, 1],
      ],
    ),

  "min and max": async (cast) => {
    await assertJudged(
      cast,
      [{ name: "load", min: -1, max: 2.5 }],
      [
        [{ load: -1 }, 1],
        [{ load: 2.5 }, 1],
        [{ load: -1.01 }, 0],
        [{ load: 2.51 }, 0],
      ],
    );
  },

  "numbers as text": async (cast) => {
    const range = { name: "load", min: "0.25", max: "1e1" };
    await assertJudged(
      cast,
      [range],
      [
        [{ load: "0.25" }, 1],
        [{ load: "10" }, 1],
        [{ load: "0.2" }, 0],
        [{ load: "heavy" }, 0],
      ],
    );
  },
} satisfies RowTests<"2.12 PUSH payload">;
