import type { VerdictKind } from "../judges/judge-states.ts";
import type { ClusterReport } from "./cluster.ts";
import { distribution } from "./figures.ts";

/** For people: what was done, and what came of it. */
export function clusterTables(report: ClusterReport): string {
  return [troublesOf(report), judgementsOf(report)].join("\n");
}

/** In Markdown; the first row is its head. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...rest] = rows;
  return [head, head.map(() => "---"), ...rest]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");
}

function troublesOf({ troubles }: ClusterReport): string {
  const byKind = Map.groupBy(troubles, ({ kind }) => kind);
  return table([
    ["trouble", "times", "met what it aims at", "lasted", "until all was whole again"],
    ...[...byKind].map(([kind, own]) => [
      kind,
      own.length,
      own.filter(({ hasHit }) => hasHit).length,
      distribution(own.map(({ lastedMs }) => lastedMs)),
      distribution(own.map(({ wholeAfterMs }) => wholeAfterMs)),
    ]),
  ]);
}

function judgementsOf(report: ClusterReport): string {
  const { handovers, ticks, detectedMs, deliveredMs, findings } = report;
  const takeOvers = handovers.filter(({ isTakeOver }) => isTakeOver);
  const given = handovers.filter(({ isTakeOver }) => !isTakeOver);
  const times = (some: typeof handovers): string => distribution(some.map(({ tookMs }) => tookMs));
  const wrong = (...kinds: readonly VerdictKind[]): number =>
    findings.filter(({ kind }) => kinds.includes(kind)).length;
  return table([
    ["judgement", "figures", "violations"],
    [
      "no alert lost",
      `${report.delivered} delivered of ${report.flips} flips`,
      wrong("lost", "undelivered"),
    ],
    ["none doubled", `${report.duplicates} sent again with the same id`, wrong("doubled")],
    ["no Up before its Down, none unexpected", "", wrong("reordered", "unexpected")],
    ["no false state", `${report.steady} targets stayed up`, wrong("false")],
    ["downs found in time", distribution(detectedMs), wrong("missed")],
    ["alerts delivered", distribution(deliveredMs), 0],
    ["shards taken over within ten seconds", times(takeOvers), wrong("abandoned")],
    ["shards given away", times(given), 0],
    [
      "every tick accounted for",
      `${ticks.results} results, ${ticks.undecided} undecided, ${ticks.missed} missed`,
      wrong("unaccounted"),
    ],
    [
      "acknowledged heartbeats stored",
      `${report.beats} acknowledged, ${report.refusedBeats} refused or without an answer`,
      wrong("forgotten"),
    ],
    [
      "hostile probes get nothing of others and change no region",
      `${report.foreignMessages} messages sent`,
      wrong("intruded"),
    ],
    ["whole again after each trouble", "", wrong("unready")],
    ["each kind of trouble met what it aims at", "", wrong("unhit")],
  ]);
}
