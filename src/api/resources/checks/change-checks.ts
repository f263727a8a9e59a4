import { z } from "zod";

import { codeOf, messageOf } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { flag } from "../../../schema/scalars.ts";
import type { Transaction } from "../../../store/store.ts";
import type { CheckRecord } from "../../../store/tables/checks.ts";
import { acknowledgeOutage } from "../../../store/transactions/acknowledge-outage.ts";
import type { ResourceDeps } from "../../deps.ts";
import type { Call } from "../../http/auth.ts";
import { operation, type Operation } from "../../operation.ts";
import { customerid, idList } from "../identifiers.ts";
import { warning } from "../responses.ts";
import { checkFields, type CheckInput } from "./input.ts";
import { removeCheck } from "./remove-check.ts";
import { acknowledgerOf } from "./acknowledge-check.ts";
import { changeCheck, type WriteDeps } from "./write-check.ts";

type Deps = WriteDeps & Pick<ResourceDeps, "alertsInserted">;

/** Maximum that a person selects in a list. */
const MAX_CHECKS = 1000;
/** Checks changed in one transaction, which takes about 30 ms and blocks others. */
const CHECKS_A_UNIT = 25;

const fields = {
  enabled: checkFields.enabled.describe("Whether the checks run"),
  mute: checkFields.mute,
  addtags: checkFields.tags.describe("Tags that each of them gets, beside those that it has"),
  removetags: checkFields.tags.describe("Tags that none of them keeps"),
  notifications: checkFields.notifications,
  acknowledge: flag.describe(
    "true acknowledges the outages of those that are down, and leaves one that somebody has acknowledged as it is",
  ),
};
const input = z.object({
  checklist: required(idList(MAX_CHECKS)).describe("The ids of the checks"),
  customerid,
  ...fields,
  delete: flag.describe("Deletes the checks and their results; all else is ignored"),
});
type Input = z.output<typeof input>;

const changeResponse = z.object({
  changed: z.int().describe("How many checks were changed, or deleted"),
  checks: z
    .record(z.string(), z.object({ done: z.boolean(), error: z.string().optional() }))
    .describe("By id, whether it was changed, and why not"),
  warning,
});
type Outcome = z.infer<typeof changeResponse>["checks"][string];

export function changeChecks(deps: Deps): Operation {
  return operation({
    summary: "Changes or deletes several checks alike, and says of each whether it was",
    needs: "edit",
    effect: "write",
    input,
    example: { checklist: ["251123000000ABCDE-ABCDEFGH"], mute: true },
    response: changeResponse,
    async handle({ checklist, ...wanted }, call) {
      const known = await findAll(deps, call, checklist);
      const outcomes = new Map(checklist.map((each) => [each, missing]));
      const present = [...known];
      for (let at = 0; at < present.length; at += CHECKS_A_UNIT) {
        const some = present.slice(at, at + CHECKS_A_UNIT);
        for (const [each, outcome] of await changeSome(deps, call, {
          some,
          wanted,
          isFirst: at === 0,
        }))
          outcomes.set(each, outcome);
      }
      if (wanted.acknowledge === true) deps.alertsInserted();
      const changed = [...outcomes.values()].filter(({ done }) => done).length;
      return { changed, checks: Object.fromEntries(outcomes) };
    },
  });
}

const missing: Outcome = { done: false, error: "Unable to find that check" };

/** The numbers of those that there are, by id. */
async function findAll(
  { store }: Pick<WriteDeps, "store">,
  { account }: Call,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  for await (const page of store.checks.listStatuses(account.id, { ids: wanted }))
    for (const { id, no } of page) known.set(id, no);
  return known;
}

interface SomeChecks {
  readonly some: readonly (readonly [id: string, no: number])[];
  readonly wanted: Omit<Input, "checklist" | "customerid">;
  readonly isFirst: boolean;
}

/** Changes some checks in one transaction. Failures are reported per check, once anything was changed. */
async function changeSome(
  deps: Deps,
  call: Call,
  { some, wanted, isFirst }: SomeChecks,
): Promise<ReadonlyMap<string, Outcome>> {
  let outcomes = new Map<string, Outcome>();
  const unit = async (tx: Transaction): Promise<boolean> => {
    outcomes = new Map();
    for (const [id] of some) outcomes.set(id, await changeOne(deps, call, { tx, id, wanted }));
    return outcomes.values().some(({ done }) => done);
  };
  try {
    await call.writeWithinLimits(call.account, unit, { checks: some.map(([, no]) => no) });
    return outcomes;
  } catch (error) {
    const isExpected = ["forbidden", "unavailable"].includes(String(codeOf(error)));
    if (isFirst || !isExpected) throw error;
    return new Map(some.map(([id]) => [id, { done: false, error: messageOf(error) }]));
  }
}

interface OneCheck extends Pick<SomeChecks, "wanted"> {
  readonly tx: Transaction;
  readonly id: string;
}

async function changeOne(deps: Deps, call: Call, { tx, id, wanted }: OneCheck): Promise<Outcome> {
  const found = await tx.checks.find(call.account.id, id);
  if (found === undefined) return missing;
  if (wanted.delete === true) {
    await removeCheck(tx, found.check, deps.clock.now());
    return { done: true };
  }
  const input = inputOf(found, wanted);
  const isAcknowledged = wanted.acknowledge === true;
  try {
    if (!isAcknowledged || Object.keys(input).length > 0)
      await changeCheck(deps, call, { tx, found, input });
    if (!isAcknowledged || (await acknowledge(deps, call, { tx, found }))) return { done: true };
    return { done: false, error: "the check is not down: there is nothing to acknowledge" };
  } catch (error) {
    if (codeOf(error) !== "invalid_input") throw error;
    return { done: false, error: messageOf(error) };
  }
}

/** False if the check is not down. */
async function acknowledge(
  { clock, ids }: Deps,
  call: Call,
  { tx, found: { check } }: Pick<OneCheck, "tx"> & { readonly found: CheckRecord },
): Promise<boolean> {
  const { outage, acknowledgement } = await tx.states.get(check.no);
  if (outage === undefined) return false;
  if (acknowledgement !== undefined) return true;
  const made = { at: clock.now(), by: acknowledgerOf(call), note: "" };
  return acknowledgeOutage(tx, { check, outage, acknowledgement: made }, ids);
}

function inputOf(
  { check }: CheckRecord,
  { addtags, removetags, ...wanted }: SomeChecks["wanted"],
): CheckInput {
  const { enabled, mute, notifications } = wanted;
  const removed = new Set(removetags);
  const tags = new Set([...check.tags, ...(addtags ?? [])]).difference(removed);
  return {
    ...(enabled !== undefined && { enabled }),
    ...(mute !== undefined && { mute }),
    ...(notifications !== undefined && { notifications }),
    ...((addtags ?? removetags) !== undefined && { tags: [...tags] }),
  };
}
