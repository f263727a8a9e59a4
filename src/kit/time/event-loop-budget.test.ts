import assert from "node:assert/strict";
import { test } from "node:test";

import { createEventLoopBudget } from "./event-loop-budget.ts";

/** Work in steps of a ms by a clock that only they move; how many the longest turn had. */
async function longestTurn(tasks: number, stepsOfEach: number): Promise<number> {
  let now = 0;
  const budget = createEventLoopBudget({ monotonic: () => now });
  let inTurn = 0;
  let longest = 0;
  const nextTurn = (): void => {
    inTurn = 0;
    counting = setImmediate(nextTurn);
  };
  let counting = setImmediate(nextTurn);
  const task = async (): Promise<void> => {
    for (let step = 0; step < stepsOfEach; step += 1) {
      const turn = budget.wait();
      if (turn !== undefined) await turn;
      now += 1;
      inTurn += 1;
      longest = Math.max(longest, inTurn);
    }
  };
  await Promise.all(Array.from({ length: tasks }, task));
  clearImmediate(counting);
  assert.equal(now, tasks * stepsOfEach);
  return longest;
}

test("work takes a bounded part of a turn of the event loop, however many tasks do it", async () => {
  assert.ok((await longestTurn(1, 500)) <= 20);
  assert.ok((await longestTurn(500, 3)) <= 20);
});

test("tasks that wait go on in the order in which they came", async () => {
  let now = 0;
  const budget = createEventLoopBudget({ monotonic: () => now });
  const order: number[] = [];
  const task = async (id: number): Promise<void> => {
    for (let step = 0; step < 2; step += 1) {
      await Promise.resolve();
      const turn = budget.wait();
      if (turn !== undefined) await turn;
      now += 10;
      order.push(id);
    }
  };
  await Promise.all([1, 2, 3].map(task));
  assert.deepEqual(order, [1, 2, 3, 1, 2, 3]);
});
