/** Rows of a backup by what people know of them. */
const named = [
  ["accounts", "account", "accounts"],
  ["contacts", "contact", "contacts"],
  ["checks", "check", "checks"],
] as const;

/** Such as `2 accounts, 1 contact, 100 checks and 12,345 rows in all`. */
export function countsOf(rows: Readonly<Record<string, number>>): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const parts = named.map(([table, one, many]) => {
    const count = rows[table] ?? 0;
    return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  });
  return `${parts.join(", ")} and ${all.toLocaleString("en")} rows in all`;
}
