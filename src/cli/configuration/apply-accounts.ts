import { z } from "zod";

import { messageOf } from "../../kit/errors.ts";
import { isRecord } from "../../kit/safe-json.ts";
import { parseResponse, type ApiClient, type JsonObject } from "../api-client.ts";
import { CommandError } from "../command-context.ts";
import { applyPlan } from "./apply-plan.ts";
import { newAccountParameters } from "./new-account.ts";
import { recordError } from "./record-error.ts";
import { planAccount, type AccountPlan, type PlanItem } from "./account-plan.ts";
import { createFaults } from "./source/faults.ts";
import { createLedger, type Ledger } from "./managed.ts";
import type { Redact } from "./source/redact.ts";

export interface Applied {
  readonly plan: AccountPlan;
  readonly item: PlanItem;
  readonly answer: JsonObject | undefined;
}

/** Inputs for planning a new account after it is created. */
interface Again {
  readonly prune: boolean;
  readonly redact: Redact;
}

/**
 * Applies plans, one call after the other, and writes down what they made. `done` is called after each step. Throws a CommandError at the first call that is
 * refused: what was done until then is written down.
 */
export async function applyAccounts(
  api: ApiClient,
  plans: readonly AccountPlan[],
  { done, ...again }: Again & { readonly done: (applied: Applied) => void },
): Promise<void> {
  for (const each of plans) {
    const { target } = each;
    const accountId = target.accountId ?? (await makeAccount(api, each));
    const plan =
      target.accountId === undefined
        ? await plannedAgain(api, { ...target, accountId }, again)
        : each;
    await applyAccount(api, { plan, accountId }, done);
  }
}

async function applyAccount(
  api: ApiClient,
  { plan, accountId }: { readonly plan: AccountPlan; readonly accountId: string },
  done: (applied: Applied) => void,
): Promise<void> {
  const { target, managed, items } = plan;
  const ledger = createLedger(api, { accountId, name: target.name, known: managed });
  const byStep = new Map(items.map((item) => [item.step, item]));
  let failure: unknown;
  try {
    await applyPlan(plan.plan, { api, accountId }, async (step, answer) => {
      const item = byStep.get(step);
      if (item === undefined) return;
      done({ plan, item, answer });
      await note(ledger, item, answer);
    });
    for (const key of plan.forgotten) await ledger.note(key, null);
  } catch (error) {
    failure = error;
  }
  await ledger.flush().catch((error: unknown) => {
    failure ??= error;
  });
  if (failure !== undefined) throw failure;
}

async function note(
  ledger: Ledger,
  { step, key, record, id }: PlanItem,
  answer: JsonObject | undefined,
): Promise<void> {
  if (key === undefined) return;
  if (step.change === "prune") return ledger.note(key, null);
  if (record === undefined) return;
  const made = id ?? (step.kind === "schedule" ? step.id : idIn(answer));
  if (made !== undefined) await ledger.note(key, { id: made, record });
}

/** The id of a record in the answer to the call that made it: its own member, or that of the only record. */
function idIn(answer: JsonObject | undefined): string | undefined {
  if (typeof answer?._id === "string") return answer._id;
  return Object.entries(answer ?? {}).find(([, value]) => isRecord(value))?.[0];
}

const made = z.object({ _id: z.string() });

async function makeAccount(api: ApiClient, { wanted, target }: AccountPlan): Promise<string> {
  const name = wanted.account.customer_name;
  const answer = await api("POST", "accounts", newAccountParameters(wanted)).catch(
    (error: unknown) => {
      throw recordError({ kind: "account", id: target.subaccount ?? "", name }, error);
    },
  );
  return parseResponse(made, answer)._id;
}

/** Plans again, because the initial records of a new account are known only after its creation. */
async function plannedAgain(
  api: ApiClient,
  target: AccountPlan["target"],
  { prune, redact }: Again,
): Promise<AccountPlan> {
  const faults = createFaults(redact);
  const plan = await planAccount(api, target, { prune, faults });
  faults.assertNone();
  return plan();
}

export function interrupted(error: unknown, counts: string): CommandError {
  return new CommandError(
    `${messageOf(error)}\nDone before the error: ${counts} It is safe to apply the files again.`,
    { cause: error },
  );
}
