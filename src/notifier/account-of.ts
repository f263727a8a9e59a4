import type { Alert } from "../domain/alert/alert.ts";
import type { UnitOptions } from "../store/store.ts";

/** The primary account that takes its share of commits for a unit about these alerts; none where they are of several. */
export function accountOf(
  alerts: readonly Pick<Alert, "primaryId">[],
): Pick<UnitOptions, "accountId"> {
  const [first] = alerts;
  const isOfOne =
    first !== undefined && alerts.every(({ primaryId }) => primaryId === first.primaryId);
  return isOfOne ? { accountId: first.primaryId } : {};
}
