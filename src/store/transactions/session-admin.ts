import { randomBytes } from "node:crypto";

import {
  hasSessionEnded,
  maxAgentLength,
  type Session,
  type SessionLifetimes,
} from "../../domain/account/session.ts";
import { handleOf } from "../../domain/account/token.ts";
import type { Clock } from "../../kit/clock.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Store, Transaction } from "../store.ts";
import type { FoundSession } from "../tables/sessions.ts";

export type SessionAdmin = ReturnType<typeof createSessionAdmin>;

export interface PreparedSession {
  /** Only the browser gets it. */
  readonly secret: string;
  readonly digest: string;
  readonly insert: (tx: Pick<Transaction, "sessions">) => Promise<void>;
  /** The same, with an entry in the audit log that says by what the contact signed in. */
  readonly signIn: (
    tx: Pick<Transaction, "sessions" | "contacts" | "audit">,
    by: readonly string[],
  ) => Promise<void>;
}

interface Deps {
  readonly store: Pick<Store, "sessions" | "write">;
  readonly clock: Pick<Clock, "now">;
  readonly lifetimes: SessionLifetimes;
}

const SECRET_BYTES = 32;
/** Browsers of one contact: the oldest session ends where there are more. */
const MAX_PER_CONTACT = 50;
/** Storing every use would require a write for every read. */
const PRECISION_MS = 300_000;

export function createSessionAdmin({ store, clock, lifetimes }: Deps) {
  const { maxMs, idleMs } = lifetimes;
  return {
    lifetimes,
    /** A new session, and what stores it, for the caller's unit. */
    prepare(
      of: Pick<Session, "accountId" | "contactId">,
      { client, agent }: Pick<Session, "client" | "agent">,
    ): PreparedSession {
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const now = clock.now();
      const session: Session = {
        ...of,
        digest: hashToken(secret),
        createdAt: now,
        usedAt: now,
        endsAt: now + maxMs,
        client,
        agent: agent.replaceAll(/\p{Cc}/gu, "").slice(0, maxAgentLength),
      };
      const { accountId, contactId, digest } = session;
      const insert: PreparedSession["insert"] = (tx) =>
        tx.sessions.insert(session, MAX_PER_CONTACT);
      return {
        secret,
        digest,
        insert,
        async signIn(tx, by) {
          await insert(tx);
          const contact = await tx.contacts.find(accountId, contactId);
          await tx.audit.insert({
            accountId,
            at: now,
            actor: { kind: "session", id: handleOf(session), name: contact?.name ?? "", contactId },
            client,
            operation: "POST sessions",
            recordId: contactId,
            fields: by,
          });
        },
      };
    },
    /** Finds a valid session by the browser's secret and records its use. */
    async find(secret: string): Promise<FoundSession | undefined> {
      const digest = hashToken(secret);
      const found = await store.sessions.find(digest);
      if (found === undefined) return undefined;
      const { session, account, contact } = found;
      const now = clock.now();
      if (account.status === "deleted" || contact.role === "notify") return undefined;
      if (hasSessionEnded(session, { now, idleMs })) return undefined;
      const since = now - Math.min(PRECISION_MS, idleMs / 10);
      if (session.usedAt <= since)
        await store.write((tx) => tx.sessions.noteUse({ digest, at: now, since }));
      return found;
    },
  };
}
