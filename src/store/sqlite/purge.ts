import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import type { Results } from "./results.ts";

/** Takes what was deleted out of the tables, in pieces that nobody feels. A piece says whether it was the last. */
export interface Purge {
  /** Numbers of the checks that went: alone, or with their account. */
  readonly checks: () => readonly number[];
  /** The results of the check have to be in the tables of their days. */
  readonly purgeCheck: (checkNo: number) => boolean;
  readonly hasAccounts: () => boolean;
  readonly hasEvidence: (before: number) => boolean;
  /** Of runs before that. */
  readonly purgeEvidence: (before: number) => boolean;
  /** All that deleted accounts have but checks; an account itself once its checks are erased. */
  readonly purgeAccounts: () => boolean;
}

const PIECE_ROWS = 400;
const DELETED = "SELECT id FROM accounts WHERE status = 'deleted'";
/** There may be many rows of these; the few that refer to one of them, or to an account or a check itself, go along with it. */
const ofAccounts = [
  "alerts",
  "bundles",
  "contact_groups",
  "contacts",
  "diagnoses",
  "maintenances",
  "profiles",
  "schedules",
] as const;
const ofCheck = ["certificates", "diagnoses", "evidence", "flips", "gaps", "spans"] as const;

export function createPurge({
  writer,
  reader,
  results,
}: {
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
  readonly results: Pick<Results, "purge">;
}): Purge {
  const eraseFrom = (table: string, chosen: string) => {
    const statement = writer.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${chosen} LIMIT ?)`,
    );
    return (...parameters: readonly SQLInputValue[]): number =>
      Number(statement.run(...parameters).changes);
  };
  const fromAccounts = ofAccounts.map((table) => eraseFrom(table, `account_id IN (${DELETED})`));
  const fromCheck = ofCheck.map((table) => eraseFrom(table, "check_no = ?"));
  const oldEvidence = eraseFrom("evidence", "started_at < ?");
  const anyEvidence = reader.prepare("SELECT 1 FROM evidence WHERE started_at < ? LIMIT 1");
  const endCheck = writer.prepare("DELETE FROM checks WHERE no = ?");
  const endErasure = writer.prepare("DELETE FROM erasures WHERE check_no = ?");
  const endAccounts = writer.prepare(
    "DELETE FROM accounts WHERE status = 'deleted' AND NOT EXISTS (SELECT 1 FROM checks WHERE account_id = accounts.id)",
  );
  const gone = reader.prepare(
    `SELECT check_no FROM erasures UNION ALL SELECT no FROM checks WHERE account_id IN (${DELETED})`,
  );
  const anyAccount = reader.prepare(`${DELETED} LIMIT 1`);

  return {
    checks: () => gone.all().map(({ check_no }) => Number(check_no)),
    purgeCheck(checkNo) {
      let room = PIECE_ROWS - results.purge(checkNo, PIECE_ROWS);
      for (const erase of fromCheck) room -= erase(checkNo, room);
      if (room === 0) return false;
      endCheck.run(checkNo);
      endErasure.run(checkNo);
      return true;
    },
    hasEvidence: (before) => anyEvidence.get(before) !== undefined,
    purgeEvidence: (before) => oldEvidence(before, PIECE_ROWS) < PIECE_ROWS,
    hasAccounts: () => anyAccount.get() !== undefined,
    purgeAccounts() {
      let room = PIECE_ROWS;
      for (const erase of fromAccounts) room -= erase(room);
      if (room === 0) return false;
      endAccounts.run();
      return true;
    },
  };
}
