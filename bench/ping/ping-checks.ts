import { pingCheck } from "../../src/checks/icmp/ping.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { childrenOf } from "../../test/child-processes.ts";
import { contextOf } from "../../test/contracts/check-type.ts";
import { cpuTimeOf } from "../cpu-time.ts";

export interface PingCost {
  readonly checks: number;
  readonly seconds: number;
  /** User and system, of this process and of those that it started. */
  readonly ownMicros: number;
  readonly childrenMicros: number;
}

const AT_ONCE = 50;
const WARMING = 500;

const check = pingCheck.prepare({ target: "127.0.0.1" });
const context = contextOf();

async function run(checks: number): Promise<void> {
  let begun = 0;
  const loop = async (): Promise<void> => {
    for (; begun < checks;) {
      begun += 1;
      const { passed, message } = await check.run(context);
      if (!passed) throw new Error(message);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}

const ofChildren = (): number =>
  childrenOf(process.pid).reduce((sum, pid) => sum + cpuTimeOf(pid).all, 0);

/** Creates PING checks and prints their cost. */
const checks = Number(process.argv[2]);
await run(WARMING);
const [before, children] = [process.cpuUsage(), ofChildren()];
const start = systemClock.monotonic();
await run(checks);
const { user, system } = process.cpuUsage(before);
const cost: PingCost = {
  checks,
  seconds: (systemClock.monotonic() - start) / 1000,
  ownMicros: user + system,
  childrenMicros: ofChildren() - children,
};
process.stdout.write(JSON.stringify(cost));
