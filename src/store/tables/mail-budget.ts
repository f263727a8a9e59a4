import { createHash } from "node:crypto";

import type { Kysely, Generated } from "kysely";

import type { SpentBudget, MailLimits } from "../../domain/contact/mail-limits.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly unasked_mails: UnaskedMailTable;
    readonly alert_mails: AlertMailTable;
  }
}

interface AlertMailTable {
  /** A hash. */
  readonly mailbox: string;
  /** Time at which the first one was sent. */
  readonly since: number;
  readonly sent: number;
}

interface UnaskedMailTable {
  readonly seq: Generated<number>;
  readonly mailbox: string;
  readonly primary_id: string;
  readonly at: number;
}

export interface BudgetedMail {
  readonly mailbox: string;
  /** The account that asks for it, or a subaccount of it. */
  readonly accountId: string;
  readonly at: number;
  readonly limits: MailLimits;
}

export interface AlertMail {
  readonly mailbox: string;
  readonly at: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_A_DAY = 4;

export function createMailBudgetReads(db: Kysely<Database>) {
  return {
    /** Undefined while there is a mail left. */
    spent: (mail: BudgetedMail): Promise<SpentBudget | undefined> => spent(db, mail),
    /** Returns when the next alert mail may be sent to a mailbox at its limit; undefined if it may be sent now. */
    async alertsResumeAt({
      mailbox,
      at,
      limit,
    }: AlertMail & { readonly limit: number }): Promise<number | undefined> {
      if (limit === 0) return undefined;
      const row = await db
        .selectFrom("alert_mails")
        .select("since")
        .where("mailbox", "=", keyOf(mailbox))
        .where("since", ">", at - DAY_MS)
        .where("since", "<=", at)
        .where("sent", ">=", limit)
        .executeTakeFirst();
      return row && row.since + DAY_MS;
    },
  };
}

export function createMailBudgetWrites(
  db: Kysely<Database>,
  { engine }: { readonly engine: Engine },
) {
  return {
    /** Counts a mail of alerts, within a day that begins with the first of them. */
    async countAlertMail({ mailbox, at }: AlertMail): Promise<void> {
      await db
        .deleteFrom("alert_mails")
        .where((eb) => eb.or([eb("since", "<=", at - DAY_MS), eb("since", ">", at)]))
        .execute();
      await db
        .insertInto("alert_mails")
        .values({ mailbox: keyOf(mailbox), since: at, sent: 1 })
        .onConflict((conflict) =>
          conflict
            .column("mailbox")
            .doUpdateSet((eb) => ({ sent: eb("alert_mails.sent", "+", 1) })),
        )
        .execute();
    },
    /** Counts a mail where there is one left. */
    async take(mail: BudgetedMail): Promise<SpentBudget | undefined> {
      const { mailbox, at } = mail;
      const primaryId = await primaryIdOf(db, mail.accountId);
      // If two transactions take the last mail, the second sees the first. The account is always locked first, because a transaction may use several mailboxes.
      await engine.lockName(db, `mails of ${primaryId}`);
      await engine.lockName(db, `mails to ${keyOf(mailbox)}`);
      const found = await spent(db, mail);
      if (found !== undefined) return found;
      await db
        .deleteFrom("unasked_mails")
        .where("at", "<", at - DAY_MS)
        .execute();
      await db
        .insertInto("unasked_mails")
        .values({ mailbox: keyOf(mailbox), primary_id: primaryId, at })
        .execute();
      return undefined;
    },
  };
}

async function spent(db: Kysely<Database>, mail: BudgetedMail): Promise<SpentBudget | undefined> {
  return (await mailboxSpent(db, mail)) ?? (await accountSpent(db, mail));
}

async function mailboxSpent(
  db: Kysely<Database>,
  { mailbox, at, limits: { perMailbox } }: BudgetedMail,
): Promise<SpentBudget | undefined> {
  // guard: mails to a mailbox = then
  if (perMailbox === 0) return undefined;
  const perDay = perMailbox * HOURS_A_DAY;
  const rows = await db
    .selectFrom("unasked_mails")
    .select("at")
    .where("mailbox", "=", keyOf(mailbox))
    .where("at", ">", at - DAY_MS)
    .orderBy("at", "desc")
    .limit(perDay)
    .execute();
  const waits = [
    waitMs(rows[perMailbox - 1]?.at, at, HOUR_MS),
    waitMs(rows[perDay - 1]?.at, at, DAY_MS),
  ];
  const forMs = Math.max(...waits);
  return forMs > 0 ? { of: "mailbox", forMs } : undefined;
}

async function accountSpent(
  db: Kysely<Database>,
  { accountId, at, limits: { perAccount } }: BudgetedMail,
): Promise<SpentBudget | undefined> {
  // guard: mails of an account = then
  if (perAccount === 0) return undefined;
  const row = await db
    .selectFrom("unasked_mails")
    .select("at")
    .where("primary_id", "=", await primaryIdOf(db, accountId))
    .where("at", ">", at - DAY_MS)
    .orderBy("at", "desc")
    .limit(1)
    .offset(perAccount - 1)
    .executeTakeFirst();
  const forMs = waitMs(row?.at, at, DAY_MS);
  return forMs > 0 ? { of: "account", forMs } : undefined;
}

/** Until the mail of that time counts no longer. One from the future was counted before the clock was set back. */
function waitMs(sentAt: number | undefined, now: number, windowMs: number): number {
  return sentAt === undefined ? 0 : Math.max(0, Math.min(sentAt, now) + windowMs - now);
}

/** Subaccounts would multiply the budget. */
async function primaryIdOf(db: Kysely<Database>, accountId: string): Promise<string> {
  const account = await db
    .selectFrom("accounts")
    .select("parent_id")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return account?.parent_id ?? accountId;
}

/** Many mail servers deliver what differs by case, dots or a tag to one mailbox. Hashed, for it outlives the address. */
function keyOf(mailbox: string): string {
  const [local = "", domain = ""] = mailbox.toLowerCase().split("@");
  const bare = `${local.replace(/\+.*$/, "").replaceAll(".", "")}@${domain}`;
  return createHash("sha256").update(bare).digest("base64url");
}
