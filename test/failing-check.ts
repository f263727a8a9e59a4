import { aResult } from "./record-builders.ts";
import { plainCheck, type ApiFixture, type Person } from "./api-fixture.ts";
import type { Check } from "../src/domain/check.ts";
import { recordFlip } from "../src/store/transactions/record-flip.ts";

/** A check of theirs that went down now; its contact is alerted. */
export async function failingCheck(
  { ask, store, clock, deps: { ids } }: ApiFixture,
  who: Person,
): Promise<Check> {
  const notifications = [{ [who.contact.id]: "All" }];
  const { body } = await ask(who, "POST /checks", {
    ...plainCheck,
    enabled: true,
    notifications,
  });
  const found = await store.checks.find(who.account.id, body._id);
  if (found === undefined) throw new Error(`no check ${JSON.stringify(body)}`);
  const { check } = found;
  const since = clock.now();
  const result = aResult(check.no, since, { passed: false, revision: check.revision });
  const flip = { check, target: "", from: undefined, to: "failing", result, since } as const;
  await store.write((tx) => recordFlip(tx, { ...flip, confirmations: [] }, ids));
  return check;
}
