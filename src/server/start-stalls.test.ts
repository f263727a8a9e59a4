import assert from "node:assert/strict";
import { test } from "node:test";

import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { createProcessInterruptions } from "./health/interruptions.ts";
import { monitorEventLoop } from "./open-process.ts";

test("a slow start is no stall, and a stall after it is one", () => {
  let now = 0;
  let due = (): void => {};
  const clock = {
    monotonic: () => now,
    setTimer(callback: () => void) {
      due = callback;
      return { cancel() {} };
    },
  };
  const logged: unknown[] = [];
  const log = { ...silentLog, warn: (_: string, fields?: object) => void logged.push(fields) };
  const interruptions = createProcessInterruptions({ clock, log, meter: noMeter });
  const { started } = monitorEventLoop(clock, interruptions);
  now = 5000;
  started();
  due();
  assert.deepEqual([logged, interruptions.lastEnded()?.cause], [[], "start"]);
  now = 9000;
  due();
  assert.deepEqual([logged.length, interruptions.lastEnded()?.cause], [1, "stalled"]);
});
