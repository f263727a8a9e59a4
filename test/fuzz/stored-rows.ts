import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Columns that assign rows to an account; the first one a table has decides. */
const owners: readonly (readonly [column: string, owned: string])[] = [
  ["account_id", "(:account)"],
  ["check_no", "(SELECT no FROM checks WHERE account_id = :account)"],
  ["contact_id", "(SELECT id FROM contacts WHERE account_id = :account)"],
  ["alert_id", "(SELECT id FROM alerts WHERE account_id = :account)"],
];

const JOURNAL =
  "SELECT value FROM result_journal, json_each(results) WHERE value ->> 0 IN (SELECT no FROM checks WHERE account_id = :account)";

function isBlob(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function inHex(_: string, value: unknown): unknown {
  return isBlob(value) ? value.toHex() : value;
}

/** All that the database holds of an account, a row a line, read past the store; but not its use of limits, which counts what its subaccounts have. */
export function storedRows(directory: string, account: string): readonly string[] {
  using database = new DatabaseSync(join(directory, "watchpost.db"), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'account_usage'")
    .all()
    .map(({ name }) => String(name));
  const queries = tables.flatMap((table) => {
    const columns = new Set(
      database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => name),
    );
    const owner = owners.find(([column]) => columns.has(column));
    return owner === undefined ? [] : [`SELECT * FROM ${table} WHERE ${owner[0]} IN ${owner[1]}`];
  });
  return ["SELECT * FROM accounts WHERE id = :account", JOURNAL, ...queries].flatMap((sql) =>
    database
      .prepare(sql)
      .all({ account })
      .map((row) =>
        Object.values(row).some(isBlob) ? JSON.stringify(row, inHex) : JSON.stringify(row),
      )
      .toSorted(),
  );
}
