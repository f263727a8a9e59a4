import { z } from "zod";

import manifest from "../../../package.json" with { type: "json" };
import type { SecondFactors } from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { nameOf, offsetText } from "../../schema/time-zone.ts";
import type { ResourceDeps } from "../deps.ts";
import type { Call } from "../http/auth.ts";
import { operation, type Operation } from "../operation.ts";
import { customerid } from "./identifiers.ts";

const currentSessionResponse = z
  .object({
    by: z.enum(["token", "session"]).describe("What the request was known by"),
    actor: z.string().describe("The handle of the token or session"),
    name: z.string().describe("The label of the token, or the name of the contact"),
    contact: z.string().optional().describe("The contact that is signed in"),
    email: z.string().optional().describe("The address that the contact signs in with"),
    access: z
      .enum(["view", "edit", "owner"])
      .describe("What the caller may do, each with all that those before it allow"),
    secondfactors: z
      .array(z.enum(["totp", "passkey"]))
      .optional()
      .describe("What the contact that is signed in shows beside its password"),
    caller: z.string().describe("The account of the token or session itself"),
    customer_id: z.string().describe("The account that requests are about"),
    customer_name: z.string(),
    parent: z.string().optional().describe("The account whose subaccount it is"),
    timezone: z.string().describe("Hours ahead of GMT now, such as `-7.0` or `5.75`"),
    timezonename: z
      .string()
      .optional()
      .describe("The IANA name of its time zone, if one was given, such as `Europe/Berlin`"),
    version: z.string().describe("Of this Watchpost"),
  })
  .meta({ id: "CurrentSession" });

/** Returns the sender of the request, for programs that show it; the first request of the dashboard. */
export function getCurrentSession(deps: Pick<ResourceDeps, "store" | "clock">): Operation {
  return operation({
    summary: "Shows who sends the request, what they may do, and in which account",
    needs: "view",
    effect: "read",
    input: z.object({ customerid }),
    response: currentSessionResponse,
    handle: async (_input, call) => toResponse(call, deps),
  });
}

async function toResponse(
  { actor, access, account, caller }: Call,
  { store, clock }: Pick<ResourceDeps, "store" | "clock">,
): Promise<z.infer<typeof currentSessionResponse>> {
  const { kind, id, name, contactId } = actor;
  const contact =
    contactId === undefined ? undefined : await store.contacts.find(caller.id, contactId);
  const email = contact && mailboxOf(contact);
  const factors =
    contactId === undefined
      ? undefined
      : await store.secondFactors.of({ accountId: caller.id, contactId });
  const timezonename = nameOf(account.timeZone);
  return {
    by: kind,
    actor: id,
    name,
    ...(contactId === undefined ? {} : { contact: contactId }),
    ...(email === undefined ? {} : { email }),
    access,
    ...(factors === undefined ? {} : { secondfactors: namesOf(factors) }),
    caller: caller.id,
    customer_id: account.id,
    customer_name: account.name,
    ...(account.parentId === undefined ? {} : { parent: account.parentId }),
    timezone: offsetText(account.timeZone, clock.now()),
    ...(timezonename === undefined ? {} : { timezonename }),
    version: manifest.version,
  };
}

function namesOf({ totpSince, passkeys }: SecondFactors): ("totp" | "passkey")[] {
  return [
    ...(totpSince === undefined ? [] : (["totp"] as const)),
    ...(passkeys.length === 0 ? [] : (["passkey"] as const)),
  ];
}
