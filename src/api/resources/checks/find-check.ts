import type { Check } from "../../../domain/check.ts";
import { NotFound } from "../../../kit/errors.ts";
import type { Store } from "../../../store/store.ts";

/** Finds the check that records of another resource belong to. */
export async function findCheck(
  { checks }: Pick<Store, "checks">,
  accountId: string,
  checkId: string,
): Promise<Check> {
  const found = await checks.find(accountId, checkId);
  if (found === undefined) throw new NotFound("Unable to find that check");
  return found.check;
}
