import { sql } from "kysely";
import { DatabaseError } from "pg";

import type { Secret } from "../../kit/crypto/secret.ts";
import { messageOf } from "../../kit/errors.ts";
import { kyselyOver } from "./dialect.ts";
import { createPool } from "./pool.ts";
import { certificateReason } from "./tls.ts";

/** Whether a process can start on a database: now, later for a reason that passes, or never with these settings. */
export type DatabaseAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "away" | "refused"; readonly reason: string };

const ANSWER_WITHIN_MS = 5000;
/** Error codes of https://www.postgresql.org/docs/current/errcodes-appendix.html for invalid authorization and a missing database. */
const NEVER = /^(?:28|3D)/;
/** Driver errors if the server does not support TLS, or needs a password that the URL lacks. */
const NEVER_SAID = /does not support SSL|^SASL: .*password/;

export async function probeDatabase(url: Secret): Promise<DatabaseAnswer> {
  const db = kyselyOver(createPool({ url, most: 1, answerWithinMs: ANSWER_WITHIN_MS }));
  try {
    const { rows } = await sql<{ recovers: boolean; is_read_only: boolean }>`
      select pg_is_in_recovery() as recovers, current_setting('transaction_read_only') = 'on' as is_read_only`.execute(
      db,
    );
    if (rows[0]?.recovers === true)
      return { kind: "away", reason: "the database is a standby that takes no writes" };
    if (rows[0]?.is_read_only === true)
      return { kind: "away", reason: "the database takes no writes: it is read-only" };
    return { kind: "ready" };
  } catch (error) {
    return { kind: isForGood(error) ? "refused" : "away", reason: messageOf(error) };
  } finally {
    await db.destroy();
  }
}

function isForGood(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof DatabaseError) return NEVER.test(cause.code ?? "");
  return certificateReason(cause) !== undefined || NEVER_SAID.test(messageOf(cause));
}
