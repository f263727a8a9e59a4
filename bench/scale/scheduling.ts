import { measuredIn } from "./measured-process.ts";
import type { SchedulingFound, SchedulingTask } from "./scheduling-process.ts";

const CHECKS = 1_000_000;
/** With one minute, 16,667 would be due a second, of which one scheduler starts at most 4,000. */
const INTERVAL_MINUTES = 5;
const SETTLING_SECONDS = 10;
const SECONDS = 45;

/** Measures the scheduler alone with a million checks: nothing is read, run, or stored. */
export async function benchScheduling(): Promise<string> {
  const empty = await measured({ checks: 0, settlingSeconds: 1, seconds: 1 });
  const found = await measured({
    checks: CHECKS,
    settlingSeconds: SETTLING_SECONDS,
    seconds: SECONDS,
  });
  const each = (key: "heapBytes" | "residentBytes"): string =>
    ((found[key] - empty[key]) / CHECKS).toFixed(0);
  const cells = [
    each("heapBytes"),
    each("residentBytes"),
    (found.peakResidentBytes / 2 ** 20).toFixed(0),
    found.cpuShare.toFixed(2),
    ...[
      found.startsPerSecond,
      found.latenessP50,
      found.latenessP99,
      found.latenessMost,
      found.blockedAfterMs,
      found.missed,
    ].map((value) => value.toFixed(0)),
  ];
  return [
    `The scheduler alone with ${CHECKS} checks of ${INTERVAL_MINUTES} minutes, for ${SECONDS} s; memory is what it has more than with none`,
    "",
    "| heap bytes a check | resident bytes a check | peak MiB | CPU of a core | starts a second | lateness p50 ms | p99 | most | longest block ms | missed |",
    "|---|---|---|---|---|---|---|---|---|---|",
    `| ${cells.join(" | ")} |`,
  ].join("\n");
}

function measured(task: Omit<SchedulingTask, "intervalMinutes">): Promise<SchedulingFound> {
  return measuredIn("scheduling-process.ts", { ...task, intervalMinutes: INTERVAL_MINUTES });
}
