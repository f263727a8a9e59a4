import assert from "node:assert/strict";
import { test } from "node:test";

import { busContract, contractLocation, createScriptedHandlers } from "../../test/contracts/bus.ts";
import { systemClock } from "../kit/clock.ts";
import { silentLog } from "../kit/log.ts";
import { noMeter } from "../kit/meter.ts";
import { joinBuses } from "./joined-bus.ts";
import { createMemoryBus } from "./memory-bus.ts";

busContract((deps) => {
  const remote = createMemoryBus(deps);
  remote.serve(contractLocation, createScriptedHandlers());
  return joinBuses(createMemoryBus(deps), remote);
});

test("a location of this process is asked here, whoever else says that it is the same", async () => {
  const deps = { clock: systemClock, log: silentLog, meter: noMeter };
  const [local, remote] = [createMemoryBus(deps), createMemoryBus(deps)];
  const bus = joinBuses(local, remote);
  const handlersThat = (error: "busy" | "offline") => ({
    ...createScriptedHandlers(),
    async runJob() {
      return { error, message: error };
    },
  });
  remote.serve({ code: "ny", region: "nam" }, handlersThat("offline"));
  remote.serve({ code: "ld", region: "eur" }, handlersThat("offline"));
  bus.serve({ code: "ny", region: "eur" }, handlersThat("busy"));
  assert.deepEqual(bus.presence.live(), [
    { code: "ny", region: "eur" },
    { code: "ld", region: "eur" },
  ]);
  const job = { id: "1", checkId: "c", accountId: "a", type: "PORT", parameters: {} };
  const errors = ["ny", "ld"].map(async (location) => {
    const report = await bus.jobs.request(
      location,
      { ...job, timeoutMs: 1000 },
      { timeoutMs: 1000 },
    );
    return "error" in report && report.error;
  });
  assert.deepEqual(await Promise.all(errors), ["busy", "offline"]);
  await bus.close();
});
