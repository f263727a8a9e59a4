import { readdirSync, readFileSync } from "node:fs";

/** The processes and all their descendants, parents first. */
export function withDescendants(pids: readonly number[]): readonly number[] {
  const children = Map.groupBy(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
    (pid) => statOf(pid)?.parent,
  );
  const found = [...pids];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

export interface Cost {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** CPU time of the processes and of their children that have ended, and the memory they have now: a shared page counts in parts. */
export function costOf(pids: readonly number[]): Cost {
  const ticks = pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0);
  const memoryBytes = pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  return { cpuSeconds: ticks / TICKS_PER_SECOND, memoryBytes };
}

function statOf(pid: number): { readonly parent: number; readonly ticks: number } | undefined {
  const text = contentOf(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may contain spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent] = fields;
  if (parent === undefined) return undefined;
  return { parent, ticks: fields.slice(11, 15).reduce((sum, some) => sum + some, 0) };
}

function memoryOf(pid: number): number {
  const [, kilobytes = "0"] =
    /^Pss:\s+(\d+) kB/m.exec(contentOf(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kilobytes) * 1024;
}

/** A process may end while it is read. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
