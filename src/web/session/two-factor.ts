import type { ContactRef } from "../../domain/account/second-factor.ts";
import { generateTotpSecret } from "../../kit/crypto/totp.ts";
import type { FoundSession } from "../../store/identity/sessions.ts";
import type { Transaction } from "../../store/store.ts";
import { generateRecoveryCodes, proveTotp } from "../../store/units/prove-second-factor.ts";
import type { LinkPage, LinkPages, PageRequest } from "../link-page.ts";
import { heldBackText, LONGEST_CODE } from "./code-form.ts";
import {
  givenPassword,
  refusalOf,
  signedInBy,
  signedOutPage,
  signInEntry,
} from "./session-page.ts";
import type { Form, SessionPageDeps } from "./session-page.ts";
import { codesPage, enrolmentPage, statusPage } from "./two-factor-page.ts";

/** What a request to change second factors is about. */
interface Asked {
  readonly found: FoundSession;
  readonly of: ContactRef;
  readonly form: Form;
  readonly request: PageRequest;
}

type Step = (deps: SessionPageDeps, asked: Asked) => Promise<LinkPage>;

/** Adds and removes the authenticator app of the contact that is signed in. */
export function createTwoFactorPage(deps: SessionPageDeps): LinkPages {
  const { store, passwords } = deps;
  const steps: Readonly<Record<string, Step>> = { begin, confirm, codes: renewCodes, remove };
  return {
    async ask(_query, _form, request) {
      const found = await signedInBy(deps, request);
      return found === undefined ? signedOutPage : status(deps, found, { status: 200 });
    },
    async act(_query, form, request) {
      const found = await signedInBy(deps, request);
      if (found === undefined) return signedOutPage;
      const of = { accountId: found.account.id, contactId: found.contact.id };
      const refused = refusalOf(deps, request, of.contactId);
      if (refused !== undefined) return refused;
      const name = form.get("do") ?? "";
      const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
      if (step === undefined) return status(deps, found, { status: 400 });
      const known = await store.contacts.passwordOf(of.accountId, of.contactId);
      const isProven =
        step === confirm ||
        (await passwords.verify(givenPassword(form, "password"), known, request.client));
      return isProven
        ? step(deps, { found, of, form, request })
        : status(deps, found, { status: 403, problem: "The password is not right." });
    },
  };
}

async function status(
  { store }: SessionPageDeps,
  { account, contact }: FoundSession,
  shown: { readonly status: number; readonly problem?: string },
): Promise<LinkPage> {
  const factors = await store.secondFactors.of({ accountId: account.id, contactId: contact.id });
  return statusPage({ ...shown, factors, timeZone: account.timeZone });
}

/** Makes a secret, which counts for nothing until a code of it comes back. */
async function begin(deps: SessionPageDeps, { found, of }: Asked): Promise<LinkPage> {
  const { store, clock } = deps;
  const secret = generateTotpSecret();
  const isDone = await store.write(async ({ secondFactors }) => {
    if ((await secondFactors.findTotp(of))?.confirmedAt !== undefined) return false;
    const createdAt = clock.now();
    const unused = { confirmedAt: undefined, lastStep: 0, failures: 0, failedAt: 0 };
    await secondFactors.putTotp({ ...of, secret, createdAt, ...unused });
    return true;
  });
  return isDone
    ? enrolment(deps, found, { secret, status: 200 })
    : status(deps, found, { status: 409, problem: "There is an authenticator app already." });
}

async function confirm(
  deps: SessionPageDeps,
  { found, of, form, request }: Asked,
): Promise<LinkPage> {
  const { store, clock, log } = deps;
  const code = (form.get("code") ?? "").slice(0, LONGEST_CODE).replaceAll(/\s/g, "");
  const { codes, digests } = generateRecoveryCodes();
  const at = clock.now();
  const end = await store.write(async (tx) => {
    const totp = await tx.secondFactors.findTotp(of);
    if (totp === undefined || totp.confirmedAt !== undefined) return undefined;
    const proof = await proveTotp(tx, of, { code, at, confirms: true });
    if (proof.is !== "right") return { proof, secret: totp.secret };
    await tx.secondFactors.replaceRecoveryCodes(of, digests);
    await endOtherSessions(tx, found);
    await tx.audit.insert(entry(deps, { found, request }, "POST second factor"));
    return { proof, secret: totp.secret };
  });
  if (end === undefined)
    return status(deps, found, { status: 409, problem: "There is nothing to confirm." });
  const { proof, secret } = end;
  if (proof.is === "right") {
    log.info("web.second_factor_added", { contact: of.contactId, from: request.client });
    return codesPage(codes);
  }
  const problem =
    proof.is === "held back"
      ? heldBackText(proof.forMs)
      : "The code is not right: is the clock of your device?";
  return enrolment(deps, found, { secret, status: 403, problem });
}

/** What has signed in without the second factor may have been somebody else. */
async function endOtherSessions(
  { sessions }: Pick<Transaction, "sessions">,
  { session }: Pick<FoundSession, "session">,
): Promise<void> {
  for (const { digest } of await sessions.listOf(session.accountId, session.contactId))
    if (digest !== session.digest) await sessions.remove(digest);
}

async function renewCodes(deps: SessionPageDeps, { found, of, request }: Asked): Promise<LinkPage> {
  const { codes, digests } = generateRecoveryCodes();
  const isDone = await deps.store.write(async (tx) => {
    if ((await tx.secondFactors.findTotp(of))?.confirmedAt === undefined) return false;
    await tx.secondFactors.replaceRecoveryCodes(of, digests);
    await tx.audit.insert(entry(deps, { found, request }, "POST recovery codes"));
    return true;
  });
  return isDone ? codesPage(codes) : status(deps, found, { status: 409 });
}

async function remove(deps: SessionPageDeps, { found, of, request }: Asked): Promise<LinkPage> {
  await deps.store.write(async (tx) => {
    await tx.secondFactors.removeAll(of);
    await tx.audit.insert(entry(deps, { found, request }, "DELETE second factor"));
  });
  deps.log.info("web.second_factor_removed", { contact: of.contactId, from: request.client });
  return status(deps, found, { status: 200 });
}

async function enrolment(
  { store, url }: SessionPageDeps,
  { account, contact }: FoundSession,
  shown: { readonly secret: string; readonly status: number; readonly problem?: string },
): Promise<LinkPage> {
  const known = await store.contacts.find(account.id, contact.id);
  return enrolmentPage({ ...shown, issuer: new URL(url).host, contact: known });
}

function entry(
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
