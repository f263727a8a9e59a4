import { checkTypes } from "../../../checks/registry.ts";
import type { Access } from "../../../domain/account/access.ts";
import { redactionFor } from "../../../redaction/redaction.ts";
import type { Store } from "../../../store/store.ts";

const allTypes = checkTypes.map(({ type }) => type);
/** Page size of statuses. */
const AT_ONCE = 250;

interface Reader {
  readonly accountId: string;
  readonly access: Access;
}

/** Shows a reader a text that runs of a check found. */
export type FoundTexts = (checkNo: number, text: string) => string;

/** Reads of many checks what their texts could repeat, unless the reader is shown all of it. */
export async function foundTextsOf(
  { checks }: Pick<Store, "checks">,
  { accountId, access }: Reader,
  checkNos: readonly number[],
): Promise<FoundTexts> {
  const redaction = redactionFor(access);
  if (redaction.showsFound) return (_, text) => text;
  const shown = new Map<number, (text: string) => string>();
  for (let start = 0; start < checkNos.length; start += AT_ONCE) {
    const nos = checkNos.slice(start, start + AT_ONCE);
    for await (const page of checks.listStatuses(accountId, { nos, parametersOf: allTypes }))
      for (const { no, type, parameters } of page)
        shown.set(no, redaction.foundBy({ type, parameters: parameters() }));
  }
  // The check was deleted meanwhile, so secrets in its texts cannot be recognized.
  return (no, text) => shown.get(no)?.(text) ?? "";
}
