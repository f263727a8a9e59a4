import type { Alert } from "../domain/alert/alert.ts";
import type { TransactionOptions } from "../store/store.ts";

/** Returns the primary account charged for a transaction about these alerts; undefined if they belong to several. */
export function accountOf(
  alerts: readonly Pick<Alert, "primaryId">[],
): Pick<TransactionOptions, "accountId"> {
  const [first] = alerts;
  const isOfOne =
    first !== undefined && alerts.every(({ primaryId }) => primaryId === first.primaryId);
  return isOfOne ? { accountId: first.primaryId } : {};
}
