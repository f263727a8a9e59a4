import type { Receipt } from "./judge-alerts.ts";
import type { Finding } from "./judge-states.ts";

interface Absence {
  /** The check that went down and up again while the receiver was away, and the one that is down since. */
  readonly passing: string;
  readonly lasting: string;
  readonly returnedAt: number;
}

/** Returns missing or wrong messages to a receiver after it became reachable again. */
export function judgeReturn(
  receipts: readonly Receipt[],
  { passing, lasting, returnedAt }: Absence,
): readonly Finding[] {
  const since = receipts.filter(({ at }) => at >= returnedAt);
  const of = (check: string, isWanted: (receipt: Receipt) => boolean): readonly Receipt[] =>
    since.filter((receipt) => receipt.check === check && isWanted(receipt));
  const findings: Finding[] = [];
  const find = (kind: Finding["kind"], about: string, what: string): void =>
    void findings.push({ kind, about, at: returnedAt, what });
  const told = new Set(of(passing, ({ isMissed }) => isMissed === true).map(({ id }) => id));
  if (told.size === 0)
    find("undelivered", passing, "came and went while its receiver was away, which was not told");
  if (told.size > 1) find("doubled", passing, `is told ${told.size} times to have come and gone`);
  if (of(passing, ({ isUp }) => !isUp).length > 0)
    find("unexpected", passing, "is over, and was alerted as if it went on");
  if (of(lasting, ({ isUp }) => !isUp).length === 0)
    find("undelivered", lasting, "went down while its receiver was away, which was not told");
  return findings;
}
