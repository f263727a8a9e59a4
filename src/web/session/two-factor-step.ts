import type { ContactRef, SecondFactors } from "../../domain/account/second-factor.ts";
import { needsSecondFactor } from "../../domain/account/second-factor.ts";
import type { FoundSession } from "../../store/identity/sessions.ts";
import type { Transaction } from "../../store/store.ts";
import type { LinkPage, PageRequest } from "../link-page.ts";
import { allowsPasskeys } from "./passkeys.ts";
import { signInEntry } from "./session-page.ts";
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

type Writes = Pick<Transaction, "secondFactors" | "sessions" | "audit">;

/** What follows a new factor: with the first one come recovery codes, and other sessions end. True where they do. */
export async function afterAddition(
  deps: SessionPageDeps,
  { secondFactors, sessions, audit }: Writes,
  {
    asked: { found, of, request },
    before,
    digests,
  }: {
    readonly asked: Asked;
    readonly before: SecondFactors;
    readonly digests: readonly string[];
  },
): Promise<boolean> {
  await audit.insert(entryOf(deps, { found, request }, "POST second factor"));
  if (needsSecondFactor(before)) return false;
  await secondFactors.replaceRecoveryCodes(of, digests);
  // What has signed in by the password alone may have been somebody else.
  for (const { digest } of await sessions.listOf(of.accountId, of.contactId))
    if (digest !== found.session.digest) await sessions.remove(digest);
  return true;
}

/** What follows a removal: codes that stand for nothing are removed too. */
export async function afterRemoval(
  deps: SessionPageDeps,
  { secondFactors, audit }: Writes,
  { found, of, request }: Asked,
): Promise<void> {
  if (!needsSecondFactor(await secondFactors.of(of)))
    await secondFactors.replaceRecoveryCodes(of, []);
  await audit.insert(entryOf(deps, { found, request }, "DELETE second factor"));
}

export function entryOf(
  deps: SessionPageDeps,
  { found, request }: Pick<Asked, "found" | "request">,
  operation: string,
): ReturnType<typeof signInEntry> {
  const { session, contact } = found;
  return signInEntry(
    deps,
    { ...contact, accountId: session.accountId },
    { kind: "session", digest: session.digest, client: request.client, operation, fields: [] },
  );
}
