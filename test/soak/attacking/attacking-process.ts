import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { Order, Reply, SentFlood } from "./attacker.ts";
import type { FloodReport } from "./floods.ts";
import type { HostilePorts } from "../hostile-targets.ts";

/** Another process, which computes what attackers compute, at a low priority. */
export interface AttackingProcess extends AsyncDisposable {
  readonly pid: number;
  /** Is a target of each hostile kind. */
  readonly listen: () => Promise<HostilePorts>;
  readonly flood: (floods: readonly SentFlood[], port: number) => void;
  /** Ends it, and gives what its floods met. */
  readonly stop: () => Promise<readonly FloodReport[]>;
}

export function attackingProcess(): AttackingProcess {
  const child = fork(join(import.meta.dirname, "attacker.ts"), { detached: true });
  const ended = once(child, "exit");
  const order = (order: Order): void => void child.send(order);
  const reply = async (): Promise<Reply> => {
    const [first]: Reply[] = await Promise.race([
      once(child, "message"),
      ended.then(() => {
        throw new Error("the attacking process ended");
      }),
    ]);
    if (first === undefined) throw new Error("the attacking process said nothing");
    return first;
  };
  return {
    pid: child.pid ?? 0,
    async listen() {
      order({ do: "listen" });
      const said = await reply();
      if (!("ports" in said)) throw new Error("the attacking process does not listen");
      return said.ports;
    },
    flood: (floods, port) => order({ do: "flood", floods, port }),
    async stop() {
      order({ do: "stop" });
      const said = await reply();
      await ended;
      return "reports" in said ? said.reports : [];
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
