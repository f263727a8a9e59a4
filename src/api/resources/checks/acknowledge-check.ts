import { z } from "zod";

import {
  maxAcknowledgementNoteLength,
  maxAcknowledgerLength,
} from "../../../domain/alert/acknowledgement.ts";
import { InvalidInput, NotFound } from "../../../kit/errors.ts";
import { required } from "../../../schema/field.ts";
import { flag, text } from "../../../schema/scalars.ts";
import {
  acknowledgeOutage,
  withdrawAcknowledgement,
} from "../../../store/transactions/acknowledge-outage.ts";
import type { ResourceDeps } from "../../deps.ts";
import { operation, type Operation } from "../../operation.ts";
import type { Call } from "../../http/auth.ts";
import { customerid, id } from "../identifiers.ts";
import { acknowledgementAnswer } from "./response.ts";

type Deps = Pick<ResourceDeps, "store" | "clock" | "ids" | "alertsInserted">;

export function acknowledgeCheck({ store, clock, ids, alertsInserted }: Deps): Operation {
  return operation({
    summary:
      "Acknowledges the outage of a check that is down: until it ends nobody is reminded of it, and no alert is sent whose delay is not over",
    needs: "edit",
    effect: "write",
    input: z.object({
      id: required(id),
      customerid,
      acknowledge: flag.describe("false withdraws the acknowledgement; true if missing"),
      by: text(maxAcknowledgerLength).describe(
        "Who sees to it, for those who were alerted; the contact who is signed in if missing, or with a token the name of the account",
      ),
      note: text(maxAcknowledgementNoteLength).describe("What they should know"),
    }),
    response: z.object({
      ok: z.literal(true),
      id: z.string(),
      acknowledged: acknowledgementAnswer
        .optional()
        .describe("Missing where nobody sees to it any more"),
    }),
    async handle({ id, acknowledge = true, by = "", note = "" }, { account, actor, write }) {
      const found = await store.checks.find(account.id, id);
      if (found === undefined) throw new NotFound("Unable to find that check");
      const { check } = found;
      const at = clock.now();
      const acknowledgement = {
        at,
        by: by.trim() || acknowledgerOf({ account, actor }),
        note: note.trim(),
      };
      const isDone = await write(
        (tx) =>
          acknowledge
            ? acknowledgeOutage(tx, { check, acknowledgement }, ids)
            : withdrawAcknowledgement(tx, check, at),
        { checks: [check.no] },
      );
      if (!isDone)
        throw new InvalidInput(
          acknowledge
            ? "the check is not down: there is nothing to acknowledge"
            : "nobody has acknowledged that the check is down",
        );
      alertsInserted();
      return { ok: true, id, ...(acknowledge && { acknowledged: acknowledgement }) };
    },
  });
}

/** The contact that is signed in, or else the account. */
export function acknowledgerOf({ account, actor }: Pick<Call, "account" | "actor">): string {
  return (actor.kind === "session" ? actor.name : "") || account.name || account.id;
}
