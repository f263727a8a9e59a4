import { z } from "zod";

import type { SecondFactors } from "../../domain/account/second-factor.ts";
import { Forbidden } from "../../kit/errors.ts";
import { required } from "../../schema/field.ts";
import { notifyOfAccessChange } from "../../store/transactions/tell-of-access.ts";
import type { ResourceDeps } from "../deps.ts";
import { operation, type Operation, type Resource } from "../operation.ts";
import { customerid, id } from "./identifiers.ts";
import { ownContactOf } from "./own-contact.ts";
import { deletedResponse } from "./responses.ts";

const secondFactorsResponse = z
  .object({
    contact: z.string(),
    totp: z
      .union([z.literal(false), z.int()])
      .describe("Since when an authenticator app is asked for, in ms since 1970"),
    passkeys: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        created: z.int().describe("ms since 1970"),
        used: z.union([z.literal(false), z.int()]).describe("When it last signed in"),
      }),
    ),
    recoverycodes: z.int().describe("How many are left"),
  })
  .meta({ id: "SecondFactors" });

type Deps = Pick<ResourceDeps, "store" | "ids" | "clock" | "passwords">;

export function secondFactors(deps: Deps): Resource {
  return {
    name: "secondfactors",
    ids: "record",
    summary: "What contacts show beside their password when they sign in",
    operations: { GET: getSecondFactors(deps), DELETE: removeSecondFactors(deps) },
  };
}

function getSecondFactors({ store }: Deps): Operation {
  return operation({
    summary: "Returns the second factors of a contact; those of others only to an owner",
    needs: "view",
    effect: "read",
    input: z.object({
      id: id.describe("The id of the contact; the one that is signed in if missing"),
      customerid,
    }),
    response: secondFactorsResponse,
    async handle({ id }, call) {
      const contactId = await ownContactOf(store, call, { id, what: "second factors" });
      const accountId = call.account.id;
      return toResponse(contactId, await store.secondFactors.of({ accountId, contactId }));
    },
  });
}

function removeSecondFactors({ store, ids, clock, passwords }: Deps): Operation {
  return operation({
    summary:
      "Removes the second factors of a contact, who is signed out and then signs in by password alone",
    needs: "owner",
    effect: "write",
    input: z.object({ id: required(id).describe("The id of the contact"), customerid }),
    response: deletedResponse,
    async handle({ id }, call) {
      const contactId = await ownContactOf(store, call, { id, what: "second factors" });
      // An attacker with an open session does not know the password.
      if (contactId === call.actor.contactId)
        throw new Forbidden("id: your own are removed at /two-factor, by your password");
      const accountId = call.account.id;
      await call.write(async (tx) => {
        await tx.secondFactors.removeAll({ accountId, contactId });
        await tx.sessions.endAll(contactId);
        const contact = await tx.contacts.find(accountId, contactId);
        if (contact === undefined || !passwords.canSendMail) return;
        const change = "factor removed";
        await notifyOfAccessChange(tx, {
          id: ids.uuid(),
          contact,
          change,
          client: "",
          at: clock.now(),
        });
      });
      return { ok: true, id: contactId };
    },
  });
}

function toResponse(
  contact: string,
  { totpSince, passkeys, recoveryCodes }: SecondFactors,
): z.infer<typeof secondFactorsResponse> {
  return {
    contact,
    totp: totpSince ?? false,
    passkeys: passkeys.map(({ id, label, createdAt, usedAt }) => ({
      id,
      label,
      created: createdAt,
      used: usedAt ?? false,
    })),
    recoverycodes: recoveryCodes,
  };
}
