import type { Kysely, Selectable } from "kysely";

import { topicOf } from "../../domain/system-mail.ts";
import type {
  ConfirmationMail,
  DiagnosticsMail,
  SystemMail,
  PasswordMail,
} from "../../domain/system-mail.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { SystemMailReads, SystemMailWrites } from "../system-mails.ts";
import type { Engine } from "./engine.ts";
import type { Database, SystemMailTable } from "./tables.ts";

export function createSystemMails(
  db: Kysely<Database>,
  { engine, sealer }: { readonly engine: Engine; readonly sealer: Sealer },
): SystemMailReads & SystemMailWrites {
  const due = () =>
    db
      .selectFrom("system_mails")
      .select("id")
      .where("next_attempt_at", "<=", engine.now())
      .orderBy("next_attempt_at")
      .orderBy("seq")
      .limit(1);

  return {
    isDue: async () => (await due().executeTakeFirst()) !== undefined,
    async insert(mail) {
      const { id, accountId, contactId, createdAt, ...content } = mail;
      const topic = topicOf(mail);
      await db
        .deleteFrom("system_mails")
        .where("contact_id", "=", contactId)
        .where("topic", "=", topic)
        .execute();
      await db
        .insertInto("system_mails")
        .values({
          id,
          account_id: accountId,
          contact_id: contactId,
          topic,
          sealed: sealer.seal(JSON.stringify(content satisfies Content)),
          created_at: createdAt,
          attempts: 0,
          next_attempt_at: createdAt,
        })
        .execute();
    },
    async claim({ leaseMs }) {
      const row = await db
        .updateTable("system_mails")
        .set((eb) => ({
          attempts: eb("attempts", "+", 1),
          next_attempt_at: eb(engine.now(), "+", leaseMs),
        }))
        .where("id", "=", engine.lockFreeRows(due()))
        .where("next_attempt_at", "<=", engine.now())
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row, sealer);
    },
    async postpone({ id, attempts }, nextAttemptAt) {
      await db
        .updateTable("system_mails")
        .set({ next_attempt_at: nextAttemptAt })
        .where("id", "=", id)
        .where("attempts", "=", attempts)
        .execute();
    },
    async shiftTimes(byMs) {
      await db
        .updateTable("system_mails")
        .set((eb) => ({ next_attempt_at: eb("next_attempt_at", "+", byMs) }))
        .execute();
    },
    async remove(id) {
      await db.deleteFrom("system_mails").where("id", "=", id).execute();
    },
  };
}

/** What is sealed. */
type Content = Own<PasswordMail> | Own<DiagnosticsMail> | Own<ConfirmationMail>;
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
