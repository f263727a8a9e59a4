import { sql, type Kysely } from "kysely";

import type { AccountStatus } from "../../../domain/account/account.ts";
import type { AlertKind, DropReason, HoldReason } from "../../../domain/alert/alert.ts";
import { checksInMaintenance } from "../checks/maintenance-checks.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { isOutdatedFirst } from "./holds.ts";
import { isUnconfirmed } from "./unconfirmed.ts";

/** End of an open alert by the state of its check, account, and address: dropped, held, or undefined to continue. */
export type PresentEnd =
  | { readonly status: "dropped"; readonly reason: DropReason }
  | { readonly status: "held"; readonly reason: HoldReason };

/** Returns the end as if no notifier had claimed the alert; undefined if it continues or the notifier's rules decide. Used after an attempt. */
export async function presentEndOf(
  { db, engine }: { readonly db: Kysely<Database>; readonly engine: Engine },
  alertId: string,
  attempt: {
    readonly mayHaveArrived: boolean;
    /** This one, or any before it. */
    readonly isPossiblySent: boolean;
    /** It waits by a rule of its recipient or its check, and an acknowledgement drops it. */
    readonly isLate?: boolean;
  },
): Promise<PresentEnd | undefined> {
  const alert = await withCheck(db, alertId);
  if (alert === undefined) return undefined;
  const surelyUnsent = !attempt.isPossiblySent && alert.possibly_sent === 0;
  const goneWith = reasonToDrop(alert, attempt.isLate === true);
  if (goneWith !== undefined)
    return surelyUnsent || isOfUseOnlyWhileDown(alert)
      ? { status: "dropped", reason: goneWith }
      : undefined;
  if (alert.account_status === "suspended") return { status: "held", reason: "account_suspended" };
  if (alert.kind !== "up" && (await isUnconfirmed(db, engine, alert)))
    return { status: "held", reason: "address_unconfirmed" };
  // Nothing is sent before it was judged: an attempt that was lost before that sent nothing.
  const isUnsent = surelyUnsent || (!attempt.mayHaveArrived && alert.judged === 0);
  if (!isUnsent || alert.kind === "up" || alert.runs) return undefined;
  return (await isOutdated(db, alertId))
    ? { status: "dropped", reason: "outdated" }
    : { status: "held", reason: "disabled" };
}

async function isOutdated(db: Kysely<Database>, alertId: string): Promise<boolean> {
  const found = await db
    .selectFrom("alerts")
    .select("id")
    .where("id", "=", alertId)
    .where(isOutdatedFirst)
    .executeTakeFirst();
  return found !== undefined;
}

/** Sent again it would be wrong, and the Up waits for its end. */
function isOfUseOnlyWhileDown({ kind }: Pick<Standing, "kind">): boolean {
  return kind === "reminder" || kind === "acknowledged";
}

interface Standing {
  readonly kind: AlertKind;
  readonly outage: string | null;
  readonly present_outage: string | null;
  readonly acknowledged_at: number | null;
  readonly check_no: number | null;
  readonly account_status: AccountStatus;
}

function reasonToDrop(alert: Standing, isLate: boolean): DropReason | undefined {
  const { kind, outage, present_outage, acknowledged_at, check_no, account_status } = alert;
  if (check_no === null) return "deleted";
  if (account_status === "deleted") return "account_deleted";
  if (kind !== "up" && outage !== null && outage !== present_outage) return "recovered";
  const endsWithAcknowledgement = kind === "reminder" || (isLate && isBeginning(kind));
  return endsWithAcknowledgement && acknowledged_at !== null ? "acknowledged" : undefined;
}

function isBeginning(kind: AlertKind): boolean {
  return kind === "down" || kind === "first";
}

async function withCheck(db: Kysely<Database>, alertId: string) {
  const row = await db
    .selectFrom("alerts")
    .innerJoin("accounts", "accounts.id", "alerts.account_id")
    .leftJoin("checks", "checks.no", "alerts.check_no")
    .leftJoin("check_states", "check_states.check_no", "alerts.check_no")
    .select([
      "alerts.kind",
      "alerts.contact_id",
      "alerts.address_id",
      "alerts.outage",
      "alerts.possibly_sent",
      "alerts.judged",
      "accounts.status as account_status",
      "checks.no as check_no",
      "check_states.outage as present_outage",
      "check_states.acknowledged_at",
    ])
    .select((eb) =>
      eb
        .and([
          eb("checks.enabled", "=", 1),
          eb("checks.disabled_with_all", "=", 0),
          eb("checks.no", "not in", checksInMaintenance(eb)),
          // A check that was off in between is down again only once it has failed again.
          eb.or([
            eb("alerts.outage", "is", null),
            eb.exists(
              eb
                .selectFrom("spans")
                .select(sql.lit(1).as("one"))
                .whereRef("spans.check_no", "=", "checks.no")
                .where("spans.kind", "=", "down")
                .where("spans.end_at", "is", null),
            ),
          ]),
        ])
        .as("runs"),
    )
    .where("alerts.id", "=", alertId)
    .executeTakeFirst();
  return row && { ...row, runs: Boolean(row.runs) };
}
