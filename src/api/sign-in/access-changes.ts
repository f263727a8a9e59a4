import { handleOf } from "../../domain/account/token.ts";
import type { ContactRef } from "../../domain/account/second-factor.ts";
import type { AccessChange } from "../../domain/system-mail.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Transaction } from "../../store/store.ts";
import { notifyOfAccessChange } from "../../store/transactions/tell-of-access.ts";
import type { SignInDeps } from "./visitor.ts";

type OwnChange = Exclude<AccessChange, "role" | "mailbox">;

interface Changed {
  readonly of: ContactRef;
  readonly change: OwnChange;
  readonly kind: "session" | "link";
  /** Digest of the session or the link with which it was changed. */
  readonly digest: string;
  readonly client: string;
  /** A first password is no change to tell of. */
  readonly isFirst?: boolean;
}

type Writes = Pick<
  Transaction,
  "accounts" | "audit" | "contacts" | "mailBudget" | "sessions" | "systemMails"
>;

const operations: Readonly<Record<OwnChange, string>> = {
  password: "PUT password",
  "factor added": "POST second factor",
  "factor removed": "DELETE second factor",
  codes: "POST recovery codes",
};

/** Records that a contact changed how it signs in, in the audit log and by a mail to it. */
export async function recordAccessChange(
  { clock, ids, passwords: { canSendMail } }: Pick<SignInDeps, "clock" | "ids" | "passwords">,
  tx: Writes,
  { of, change, kind, digest, client, isFirst = false }: Changed,
): Promise<void> {
  const { accountId, contactId } = of;
  const contact = await tx.contacts.find(accountId, contactId);
  if (contact === undefined) return;
  const at = clock.now();
  await tx.audit.insert({
    accountId,
    at,
    actor: { kind, id: handleOf({ digest }), name: contact.name, contactId },
    client,
    operation: operations[change],
    recordId: contactId,
    fields: change === "password" ? ["password"] : [],
  });
  if (canSendMail && !isFirst)
    await notifyOfAccessChange(tx, { id: ids.uuid(), contact, change, client, at });
}

const HOUR_MS = 3_600_000;
const STRANGER = { kind: "stranger", id: "", name: "", contactId: undefined } as const;

/**
 * Counts a failed attempt to sign in, in the audit log of each contact that it was about: one entry of a contact an hour, so that a flood
 * displaces nothing there. Nobody waits for it: the answer would take longer where there is such a contact.
 */
export function countFailedSignIn(
  { store, clock, log }: Pick<SignInDeps, "store" | "clock" | "log">,
  of: readonly ContactRef[],
  client: string,
): void {
  if (of.length === 0) return;
  const at = clock.now();
  const entry = { at, actor: STRANGER, client, operation: "POST failed sign-ins" };
  store
    .write(async ({ audit }) => {
      for (const { accountId, contactId } of of)
        await audit.count({ ...entry, accountId, recordId: contactId }, at - HOUR_MS);
    })
    .catch((error: unknown) =>
      log.warn("web.failed_sign_in_not_saved", { message: messageOf(error) }),
    );
}
