import { z } from "zod";

const DAY_MS = 86_400_000;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The period of GMT that an instant is in, by the name of the rule that counts these periods. */
const periods = {
  last: (at: number) => at,
  daily: (at: number) => Math.floor(at / DAY_MS),
  weekly: (at: number) => Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS)),
  monthly: (at: number) => new Date(at).toISOString().slice(0, "2026-11".length),
} as const satisfies Readonly<Record<string, (at: number) => number | string>>;

type Rule = keyof typeof periods;

/** How many backups each rule keeps; undefined keeps all. */
export type Retention = ReadonlyMap<Rule, number> | undefined;

const EXAMPLE = "last=3,daily=7,weekly=4,monthly=6";

export const retentionSetting = z
  .string()
  .default(EXAMPLE)
  .transform((text, context): Retention => {
    if (text.trim() === "all") return undefined;
    const rules = new Map<Rule, number>();
    for (const part of text.split(",")) {
      const [, name = "", count = ""] = /^\s*(\w+)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? [];
      if (!isRule(name) || Number(count) === 0 || rules.has(name)) {
        context.addIssue(
          `must be "all", or numbers above 0 of ${Object.keys(periods).join(", ")}, each once, such as ${EXAMPLE}, not ${JSON.stringify(part.trim())}`,
        );
        return z.NEVER;
      }
      rules.set(name, Number(count));
    }
    return rules;
  });

function isRule(name: string): name is Rule {
  return Object.hasOwn(periods, name);
}

/**
 * The backups that no rule keeps. A rule keeps the newest backup of each of the latest periods that have one, so that neither a pause of
 * months nor a clock that was set makes old backups expire; the newest of all is always kept.
 */
export function expired<Backup extends { readonly at: number }>(
  backups: readonly Backup[],
  retention: Retention,
): readonly Backup[] {
  if (retention === undefined) return [];
  const newestFirst = backups.toSorted((one, other) => other.at - one.at);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [rule, count] of retention) {
    const seen = new Set<number | string>();
    for (const backup of newestFirst) {
      const period = periods[rule](backup.at);
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
