import { z } from "zod";

import { isSwitchedOn } from "../../../../domain/check.ts";
import { InvalidInput } from "../../../../kit/errors.ts";
import { required } from "../../../../schema/field.ts";
import type { ResourceDeps } from "../../../deps.ts";
import { operation, type Operation } from "../../../operation.ts";
import { customerid, id } from "../../identifiers.ts";
import { findCheck } from "../find-check.ts";
import { parseCheckType } from "../parse-check.ts";
import { assertNotSuspended, createRunLimit } from "./run-limits.ts";

/** Has a check run now, wherever it is scheduled; its result counts as any other. */
export function runCheck({ store, clock }: Pick<ResourceDeps, "store" | "clock">): Operation {
  const assertRested = createRunLimit(clock);
  return operation({
    summary:
      "Runs a check at once, besides its interval, at most once in ten seconds; the result is one as any other",
    needs: "edit",
    effect: "write",
    input: z.object({ id: required(id), customerid }),
    response: z.object({ ok: z.literal(true), id: z.string() }),
    async handle({ id }, { account, write }) {
      const check = await findCheck(store, account.id, id);
      if (parseCheckType(check.type).driver === "push")
        throw new InvalidInput("id: nothing runs a check of this type, your system reports");
      assertNotSuspended(account);
      if (!isSwitchedOn(check)) throw new InvalidInput("id: the check is off, and does not run");
      assertRested(check.no);
      const change = { accountId: account.id, checkNo: check.no, isRun: true } as const;
      await write((tx) => tx.changes.record(change));
      return { ok: true, id };
    },
  });
}
