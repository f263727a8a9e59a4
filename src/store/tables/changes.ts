import type { Kysely, Generated } from "kysely";

import type { Change, ChangeKind, LoggedChange } from "../../domain/change.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly changes: ChangeTable;
  }
}

interface ChangeTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly check_no: number | null;
  readonly kind: Generated<ChangeKind>;
  /** The id of a check that was removed. */
  readonly removed_id: string | null;
  readonly at: number;
}

export function createChangeWrites(db: Kysely<Database>, { engine }: { readonly engine: Engine }) {
  return {
    /** Records a transaction's change of an account's configuration for caches and runners; `removedId` if it removed the check. */
    async record({
      accountId,
      checkNo,
      removedId,
      isRun,
    }: Change & { readonly removedId?: string }): Promise<void> {
      await db
        .insertInto("changes")
        .values({
          account_id: accountId,
          check_no: checkNo ?? null,
          kind: isRun ? "run" : "configuration",
          removed_id: removedId ?? null,
          at: engine.now(),
        })
        .execute();
    },
  };
}

/** Logs an event of a check for viewers. */
export async function logChange(
  db: Kysely<Database>,
  engine: Pick<Engine, "now">,
  { checkNo, kind }: { readonly checkNo: number; readonly kind: ChangeKind },
): Promise<void> {
  await db
    .insertInto("changes")
    .columns(["account_id", "check_no", "kind", "at"])
    .expression(
      db
        .selectFrom("checks")
        .where("no", "=", checkNo)
        .select((eb) => [
          "account_id",
          "no",
          eb.cast<ChangeKind>(eb.val(kind), "text").as("kind"),
          engine.now().as("at"),
        ]),
    )
    .execute();
}

export function changeFromRow({
  account_id,
  check_no,
  kind,
  removed_id,
}: Pick<ChangeTable, "account_id" | "check_no" | "removed_id"> & {
  readonly kind: ChangeKind;
}): LoggedChange {
  return {
    accountId: account_id,
    checkNo: check_no ?? undefined,
    kind,
    removedId: removed_id ?? undefined,
  };
}

/** Returns the part of a change that runners and caches need. */
export function invalidationOf({ kind, accountId, checkNo }: LoggedChange): Change | undefined {
  if (kind === "configuration") return { accountId, checkNo };
  return kind === "run" ? { accountId, checkNo, isRun: true } : undefined;
}
