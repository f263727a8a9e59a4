import type { Check } from "../../../domain/check.ts";
import type { Transaction } from "../../../store/store.ts";

/** Within a unit; whether it was there. */
export async function removeCheck(
  tx: Transaction,
  { accountId, id, no }: Pick<Check, "accountId" | "id" | "no">,
  at: number,
): Promise<boolean> {
  if (!(await tx.checks.remove(accountId, id, at))) return false;
  await tx.changes.record({ accountId, checkNo: no, removedId: id });
  return true;
}
