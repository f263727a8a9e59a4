import type { Kysely, Selectable, Generated } from "kysely";

import {
  topicOf,
  type AccessMail,
  type ConfirmationMail,
  type DiagnosticsMail,
  type LinkMail,
  type NewSystemMail,
  type SystemMail,
  type PasswordMail,
} from "../../domain/system-mail.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly system_mails: SystemMailTable;
  }
}

interface SystemMailTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly contact_id: string;
  /** Only the latest mail on a topic is kept. */
  readonly topic: string;
  /** Sealed JSON. */
  readonly sealed: Uint8Array;
  readonly created_at: number;
  readonly attempts: number;
  readonly next_attempt_at: number;
}

export function createSystemMailReads(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
) {
  return {
    /** Whether a mail could be claimed now, by the store's clock. */
    isDue: async (): Promise<boolean> =>
      (await dueMail(db, engine).executeTakeFirst()) !== undefined,
  };
}

export function createSystemMailWrites(
  db: Kysely<Database>,
  { engine, sealer }: { readonly engine: Engine; readonly sealer: Sealer },
) {
  return {
    /** Replaces an earlier mail to the contact about the same topic. */
    async insert(mail: NewSystemMail): Promise<void> {
      await db
        .deleteFrom("system_mails")
        .where("contact_id", "=", mail.contactId)
        .where("topic", "=", topicOf(mail))
        .execute();
      await insertRow(db, { mail, sealer, dueAt: mail.createdAt });
    },
    /**
     * Adds the reports to the mail that follows the same message if it was not tried yet and has room, otherwise inserts this one. The mail is due at that time
     * or earlier. Returns whether a mail was added.
     */
    async addDiagnostics(mail: Omit<DiagnosticsMail, "attempts">, dueAt: number): Promise<boolean> {
      if (await addReports(db, { mail, sealer, dueAt })) return false;
      await insertRow(db, { mail, sealer, dueAt });
      return true;
    },
    /** Claims the longest due mail for this attempt: no other process can claim it until the lease ends. */
    async claim({ leaseMs }: { readonly leaseMs: number }): Promise<SystemMail | undefined> {
      const row = await db
        .updateTable("system_mails")
        .set((eb) => ({
          attempts: eb("attempts", "+", 1),
          next_attempt_at: eb(engine.now(), "+", leaseMs),
        }))
        .where("id", "=", engine.lockFreeRows(dueMail(db, engine)))
        .where("next_attempt_at", "<=", engine.now())
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row, sealer);
    },
    /** Does nothing if it is gone, or was claimed for a later attempt. */
    async postpone(
      { id, attempts }: Pick<SystemMail, "id" | "attempts">,
      nextAttemptAt: number,
    ): Promise<void> {
      await db
        .updateTable("system_mails")
        .set({ next_attempt_at: nextAttemptAt })
        .where("id", "=", id)
        .where("attempts", "=", attempts)
        .execute();
    },
    /** Shifts all next attempts by a change of the clock. */
    async shiftTimes(byMs: number): Promise<void> {
      await db
        .updateTable("system_mails")
        .set((eb) => ({
          created_at: eb("created_at", "+", byMs),
          next_attempt_at: eb("next_attempt_at", "+", byMs),
        }))
        .execute();
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom("system_mails").where("id", "=", id).execute();
    },
  };
}

/** The one that has been due longest. */
function dueMail(db: Kysely<Database>, engine: Engine) {
  return db
    .selectFrom("system_mails")
    .select("id")
    .where("next_attempt_at", "<=", engine.now())
    .orderBy("next_attempt_at")
    .orderBy("seq")
    .limit(1);
}

interface Inserted<Kind extends NewSystemMail> {
  readonly mail: Kind;
  readonly sealer: Sealer;
  readonly dueAt: number;
}

async function insertRow(
  db: Kysely<Database>,
  { mail, sealer, dueAt }: Inserted<NewSystemMail>,
): Promise<void> {
  const { id, accountId, contactId, createdAt, ...content } = mail;
  await db
    .insertInto("system_mails")
    .values({
      id,
      account_id: accountId,
      contact_id: contactId,
      topic: topicOf(mail),
      sealed: sealer.seal(JSON.stringify(content satisfies Content)),
      created_at: createdAt,
      attempts: 0,
      next_attempt_at: dueAt,
    })
    .execute();
}

const MAX_REPORTS = 500;
/** Size at which reports are only counted, because a mail shows 85 KB and every added report encrypts all of them again. */
const FULL_LENGTH = 262_144;

/** False if there is no mail to add to, or another transaction has just changed it. */
async function addReports(
  db: Kysely<Database>,
  { mail, sealer, dueAt }: Inserted<Omit<DiagnosticsMail, "attempts">>,
): Promise<boolean> {
  const untried = await db
    .selectFrom("system_mails")
    .selectAll()
    .where("contact_id", "=", mail.contactId)
    .where("topic", "=", topicOf(mail))
    .where("attempts", "=", 0)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const earlier = untried && fromRow(untried, sealer);
  if (untried === undefined || earlier?.kind !== "diagnosis") return false;
  const isFull = untried.sealed.length > FULL_LENGTH;
  const more = isFull ? mail.reports.map((report) => ({ ...report, findings: [] })) : mail.reports;
  const reports = [...earlier.reports, ...more];
  if (reports.length > MAX_REPORTS) return false;
  const { id: _, accountId: _account, contactId: _contact, createdAt: _at, ...content } = mail;
  const { numUpdatedRows } = await db
    .updateTable("system_mails")
    .set({
      sealed: sealer.seal(JSON.stringify({ ...content, reports } satisfies Content)),
      next_attempt_at: Math.min(untried.next_attempt_at, dueAt),
    })
    .where("id", "=", untried.id)
    .where("attempts", "=", 0)
    .where("sealed", "=", untried.sealed)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Encrypted content. */
type Content =
  | Own<PasswordMail>
  | Own<DiagnosticsMail>
  | Own<ConfirmationMail>
  | Own<LinkMail>
  | Own<AccessMail>;
type Own<Kind extends SystemMail> = Omit<
  Kind,
  "id" | "accountId" | "contactId" | "createdAt" | "attempts"
>;

function fromRow(row: Selectable<SystemMailTable>, sealer: Sealer): SystemMail {
  const content: Content = JSON.parse(sealer.open(row.sealed));
  return {
    ...content,
    id: row.id,
    accountId: row.account_id,
    contactId: row.contact_id,
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}
