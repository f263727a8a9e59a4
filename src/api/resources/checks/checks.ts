import { z } from "zod";

import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import type { Transaction } from "../../../store/store.ts";
import { required } from "../../../schema/field.ts";
import { flag } from "../../../schema/scalars.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation, type RecordedValues, type Resource } from "../../operation.ts";
import { customerid, id } from "../identifiers.ts";
import { acknowledgeCheck } from "./acknowledge-check.ts";
import { changeChecks } from "./change-checks.ts";
import { deletedResponse } from "../responses.ts";
import { disableAll, disableAllResponse } from "./disable-all.ts";
import { flattenParameters, flattenUpdate } from "./parse-check.ts";
import { getChecks } from "./get-checks.ts";
import { checkFields, plainExample, typeParameters, typeVariants } from "./input.ts";
import { removeCheck } from "./remove-check.ts";
import { writtenCheckResponse } from "./response.ts";
import { runCheck } from "./runs/run-check.ts";
import { testCheck, type TestDeps } from "./runs/test-check.ts";
import { createCheck, updateCheck, type WriteDeps } from "./write-check.ts";
import { targetWithoutQuery } from "../../../domain/target.ts";
import { subscriptionsOf, type Check } from "../../../domain/check.ts";
import { recipientIds } from "./subscriptions.ts";
import { flagsToWire } from "./flags.ts";

export function checks(
  deps: WriteDeps & TestDeps & Pick<ResourceDeps, "alertsInserted">,
): Resource {
  return {
    name: "checks",
    ids: "record",
    summary: "The checks of an account, and their state",
    recorded: async (tx, { accountId, id }) => {
      const found = await tx.checks.find(accountId, id);
      return found && recordedValuesOf(found.check);
    },
    operations: {
      GET: getChecks(deps),
      POST: postCheck(deps),
      PUT: putCheck(deps),
      DELETE: deleteCheck(deps),
      ACKNOWLEDGE: acknowledgeCheck(deps),
      BULK: changeChecks(deps),
      RUN: runCheck(deps),
      TEST: testCheck(deps),
    },
  };
}

function postCheck(deps: WriteDeps): Operation {
  return operation({
    summary: "Creates a check",
    needs: "edit",
    effect: "write",
    input: z.looseObject({
      customerid,
      ...checkFields,
      type: required(checkFields.type),
      quietfirst: flag.describe(
        "true alerts nobody if the first result is up. Use it to create many checks at once. A first result that is down always alerts",
      ),
    }),
    extraParameters: typeParameters,
    variants: typeVariants,
    example: plainExample,
    response: writtenCheckResponse,
    normalize: flattenParameters,
    handle: ({ quietfirst = false, ...input }, scope) =>
      createCheck(deps, scope, { ...input, quietFirst: quietfirst }),
  });
}

function putCheck(deps: WriteDeps): Operation {
  return operation({
    summary:
      "Changes a check; what is not sent stays. Or disables and re-enables all checks of an account",
    needs: "edit",
    effect: "write",
    input: z.looseObject({
      id: id.describe("Without it a check is created where type is given"),
      customerid,
      disableall: flag.describe(
        "true disables every check that is enabled, false enables those again; all other parameters are ignored",
      ),
      ...checkFields,
    }),
    extraParameters: typeParameters,
    example: { label: "Home page" },
    response: z.union([writtenCheckResponse, disableAllResponse]),
    normalize: flattenUpdate,
    internal: ["ignored"],
    handle: async ({ id, disableall, ...input }, call) => {
      if (disableall !== undefined)
        return disableAll(deps, call, { disable: disableall, others: input.ignored });
      if (id !== undefined) return updateCheck(deps, call, { ...input, id });
      if (input.type === undefined) throw new InvalidInput("id: required");
      return createCheck(deps, call, input);
    },
  });
}

function deleteCheck({ store, clock }: WriteDeps): Operation {
  return operation({
    summary: "Deletes a check and its results",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: deletedResponse,
    async handle({ id }, { account, write }) {
      const missing = new NotFound("Unable to find that check");
      const found = await store.checks.find(account.id, id);
      if (found === undefined) throw missing;
      const { no } = found.check;
      const remove = async (tx: Transaction): Promise<void> => {
        if (!(await removeCheck(tx, found.check, clock.now()))) throw missing;
      };
      await write(remove, { checks: [no] });
      return { ok: true, id };
    },
  });
}

function recordedValuesOf(check: Check): RecordedValues {
  const { parameters, notifications } = check;
  return {
    kept: {
      type: check.type,
      label: check.label,
      target: targetWithoutQuery(parameters),
      interval: check.intervalMinutes,
      threshold: check.timeoutSeconds,
      sens: check.rechecks,
      recheckwait: check.recheckWait,
      enabled: check.enabled,
      ...flagsToWire(check),
      runlocations: check.regions,
      homeloc: check.home,
      dep: check.dependsOn,
      mute: check.mute,
      tags: check.tags,
      notifications: recipientIds(subscriptionsOf(notifications)),
    },
    compared: { ...parameters, description: check.description, notifications },
  };
}
