import { once } from "node:events";

import { flood, type Flood, type FloodReport } from "./floods.ts";
import { hostileTargets, type HostilePorts } from "../hostile-targets.ts";
import { floodMessages, type MessageFlood } from "./messages.ts";
import { lowerPriority } from "./low-priority.ts";

export type SentFlood = Flood | MessageFlood;

/** A request to the attacking process: to be a target, or to flood. */
export type Order =
  | { readonly do: "listen" }
  | { readonly do: "flood"; readonly port: number; readonly floods: readonly SentFlood[] }
  | { readonly do: "stop" };

export type Reply = { readonly ports: HostilePorts } | { readonly reports: readonly FloodReport[] };

/** A tenth of the program's share if both are busy; at the lowest priority they would not attack during other work. */
const NICE = 10;

lowerPriority(NICE);
const stopping = new AbortController();
const flooding: Promise<FloodReport>[] = [];
process.on("message", (order: Order) => {
  if (order.do === "listen") void listen();
  else if (order.do === "flood")
    for (const one of order.floods) flooding.push(floodOf(one, order.port));
  else stopping.abort();
});
process.once("disconnect", () => stopping.abort());
if (!stopping.signal.aborted) await once(stopping.signal, "abort");
say({ reports: await Promise.all(flooding) });
if (process.connected) process.disconnect?.();

function floodOf(order: SentFlood, port: number): Promise<FloodReport> {
  const { signal } = stopping;
  return order.kind === "messages" ? floodMessages(order, signal) : flood(order, { port, signal });
}

async function listen(): Promise<void> {
  await using targets = await hostileTargets();
  say({ ports: targets.ports });
  await once(stopping.signal, "abort");
}

function say(reply: Reply): void {
  if (process.connected) process.send?.(reply);
}
