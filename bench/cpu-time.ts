import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MICROS = 10_000;

/** User and system time of a process and of all that it has started and seen end; `children` is the latter alone. */
export function cpuTimeOf(pid: number): { readonly all: number; readonly children: number } {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [own = 0, ownSystem = 0, children = 0, childrenSystem = 0] = fields
    .split(" ")
    .slice(11, 15)
    .map((ticks) => Number(ticks) * TICK_MICROS);
  const ofChildren = children + childrenSystem;
  return { all: own + ownSystem + ofChildren, children: ofChildren };
}
