import {
  needsSecondFactor,
  type ContactRef,
  type SecondFactors,
} from "../../domain/account/second-factor.ts";
import type { Transaction } from "../../store/store.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import type { LinkPage, PageRequest } from "../link-page.ts";
import { recordAccessChange } from "./access-changes.ts";
import { allowsPasskeys } from "./passkeys.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";
import { statusPage } from "./two-factor-page.ts";

/** What a request to change second factors is about. */
export interface Asked {
  readonly found: FoundSession;
  readonly of: ContactRef;
  readonly form: Form;
  readonly request: PageRequest;
  /** What follows the name of the step, such as the id of a passkey. */
  readonly about: string;
}

export type Step = (deps: SessionPageDeps, asked: Asked) => Promise<LinkPage>;

export async function showStatus(
  { store, url }: SessionPageDeps,
  { account, contact }: FoundSession,
  shown: { readonly status: number; readonly problem?: string },
): Promise<LinkPage> {
  const factors = await store.secondFactors.of({ accountId: account.id, contactId: contact.id });
  const { timeZone } = account;
  return statusPage({ ...shown, factors, timeZone, allowsPasskeys: allowsPasskeys(url) });
}

type Writes = Parameters<typeof recordAccessChange>[1] & Pick<Transaction, "secondFactors">;

/** Gives recovery codes with the first factor. True where it is the first. */
export async function afterAddition(
  deps: SessionPageDeps,
  tx: Writes,
  {
    asked,
    before,
    digests,
  }: {
    readonly asked: Asked;
    readonly before: SecondFactors;
    readonly digests: readonly string[];
  },
): Promise<boolean> {
  await afterChange(deps, tx, asked, "factor added");
  if (needsSecondFactor(before)) return false;
  await tx.secondFactors.replaceRecoveryCodes(asked.of, digests);
  return true;
}

/** Removes codes that stand for nothing. */
export async function afterRemoval(deps: SessionPageDeps, tx: Writes, asked: Asked): Promise<void> {
  if (!needsSecondFactor(await tx.secondFactors.of(asked.of)))
    await tx.secondFactors.replaceRecoveryCodes(asked.of, []);
  await afterChange(deps, tx, asked, "factor removed");
}

/** Ends all other sessions, which may be those of somebody else, records the change, and mails the contact. */
export async function afterChange(
  deps: SessionPageDeps,
  tx: Writes,
  { found, of, request: { client } }: Asked,
  change: "factor added" | "factor removed" | "codes",
): Promise<void> {
  const { digest } = found.session;
  // guard: sessions after a change of second factors
  await tx.sessions.endAll(of.contactId, digest);
  await recordAccessChange(deps, tx, { of, change, kind: "session", digest, client });
}
