import type { Alert, DropReason, WaitReason } from "../../domain/alert/alert.ts";

/** The alerts that a stage kept, with what it found; those that it dropped, with the reason; those that are judged again later; and those that it failed on. */
export interface StageResult<Kept> {
  readonly kept: readonly Kept[];
  readonly dropped: readonly { readonly alert: Alert; readonly reason: DropReason }[];
  readonly postponed: readonly {
    readonly alert: Alert;
    readonly until: number;
    readonly reason?: WaitReason;
  }[];
  readonly failed: readonly { readonly alert: Alert; readonly error: unknown }[];
}

/** Marks everything that a stage postponed with why it waits. */
export function postponedFor<Kept>(
  reasonOf: (alert: Alert) => WaitReason | undefined,
  result: StageResult<Kept>,
): StageResult<Kept> {
  const postponed = result.postponed.map((each) => {
    const reason = reasonOf(each.alert);
    return reason === undefined ? each : { ...each, reason };
  });
  return { ...result, postponed };
}

/** Checks each item on its own, so that an error concerns no other: a reason drops it, an instant postpones it until then, anything else is kept. */
export async function runStage<Item extends { readonly alert: Alert }, Kept extends object>(
  items: readonly Item[],
  judge: (item: Item) => Promise<Kept | DropReason | number> | Kept | DropReason | number,
): Promise<StageResult<Kept>> {
  const kept: Kept[] = [];
  const dropped: { alert: Alert; reason: DropReason }[] = [];
  const postponed: { alert: Alert; until: number }[] = [];
  const failed: { alert: Alert; error: unknown }[] = [];
  const verdicts = await Promise.allSettled(items.map(async (item) => judge(item)));
  for (const [index, { alert }] of items.entries()) {
    const verdict = verdicts[index];
    if (verdict === undefined) continue;
    if (verdict.status === "rejected") failed.push({ alert, error: verdict.reason });
    else if (typeof verdict.value === "string") dropped.push({ alert, reason: verdict.value });
    else if (typeof verdict.value === "number") postponed.push({ alert, until: verdict.value });
    else kept.push(verdict.value);
  }
  return { kept, dropped, postponed, failed };
}
