import type { Kysely, Selectable } from "kysely";

import { topicOf } from "../../domain/system-mail.ts";
import type { DiagnosticsMail, SystemMail, PasswordMail } from "../../domain/system-mail.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { SystemMailReads, SystemMailWrites } from "../system-mails.ts";
import type { Database, SystemMailTable } from "./tables.ts";

export function createSystemMails(
  db: Kysely<Database>,
  { sealer }: { readonly sealer: Sealer },
): SystemMailReads & SystemMailWrites {
  const due = (now: number) =>
    db
      .selectFrom("letters")
      .select("id")
      .where("next_attempt_at", "<=", now)
      .orderBy("next_attempt_at")
      .orderBy("seq")
      .limit(1);

  return {
    isDue: async (now) => (await due(now).executeTakeFirst()) !== undefined,
    async insert(letter) {
      const { id, accountId, contactId, createdAt, ...content } = letter;
      const topic = topicOf(letter);
      await db
        .deleteFrom("letters")
        .where("contact_id", "=", contactId)
        .where("topic", "=", topic)
        .execute();
      await db
        .insertInto("letters")
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
    async claim({ now, until }) {
      const row = await db
        .updateTable("letters")
        .set((eb) => ({ attempts: eb("attempts", "+", 1), next_attempt_at: until }))
        .where("id", "=", due(now))
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row, sealer);
    },
    async postpone({ id, attempts }, nextAttemptAt) {
      await db
        .updateTable("letters")
        .set({ next_attempt_at: nextAttemptAt })
        .where("id", "=", id)
        .where("attempts", "=", attempts)
        .execute();
    },
    async remove(id) {
      await db.deleteFrom("letters").where("id", "=", id).execute();
    },
  };
}

/** What is sealed. */
type Content = Own<PasswordMail> | Own<DiagnosticsMail>;
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
