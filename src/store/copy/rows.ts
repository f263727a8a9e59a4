import { createHash } from "node:crypto";

import { sql, type Kysely, type RawBuilder } from "kysely";

import type { Database } from "../tables/database.ts";
import type { CopiedTable } from "./copied-tables.ts";

type Value = string | number | Uint8Array | null;
export type CopiedRow = Readonly<Record<string, Value>>;

/** Key of the last row of a page, from which the next page continues. */
export type RowPosition = readonly (string | number)[];

interface PageQuery extends CopiedTable {
  readonly columns: readonly string[];
  /** Undefined for the first page. */
  readonly after: RowPosition | undefined;
  readonly limit: number;
}

export async function readPage(
  db: Kysely<Database>,
  { table, key, columns, after, limit }: PageQuery,
): Promise<readonly CopiedRow[]> {
  const keys = sql.join(key.map(orderOf));
  const rest = after === undefined ? sql`true` : sql`(${keys}) > (${sql.join(after.map(typed))})`;
  const { rows } = await sql<CopiedRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${rest} order by ${keys} limit ${limit}`.execute(db);
  return rows;
}

/** Null comes first. */
function orderOf(column: string): RawBuilder<unknown> {
  return NULLABLE.has(column) ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`;
}

const NULLABLE = new Set(["parent_id"]);

function typed(value: string | number): RawBuilder<unknown> {
  return typeof value === "number" ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`;
}

/** Rows of one table, with the same columns each. */
export async function insertRows(
  connection: Kysely<Database>,
  {
    table,
    rows,
    overriding = sql``,
  }: {
    readonly table: string;
    readonly rows: readonly CopiedRow[];
    /** Clause this engine needs to insert explicit values for generated numbers. */
    readonly overriding?: RawBuilder<unknown>;
  },
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${names}) ${overriding} values ${sql.join(values)}`.execute(
    connection,
  );
}

export function positionOf(row: CopiedRow, key: readonly string[]): RowPosition {
  return key.map((column) => {
    const value = row[column];
    return typeof value === "number" || typeof value === "string" ? value : "";
  });
}

/** Counts rows and digests them, in whatever order they come: two sets that differ in a row differ in the digest. */
export interface RowDigest {
  readonly add: (row: object) => void;
  readonly end: () => { readonly rows: number; readonly digest: string };
}

export function createRowDigest(): RowDigest {
  const sum = Buffer.alloc(32);
  let rows = 0;
  return {
    add(row) {
      const own = createHash("sha256").update(canonical(row)).digest();
      for (const [index, byte] of own.entries()) sum[index] = (sum[index] ?? 0) ^ byte;
      rows += 1;
    },
    end: () => ({ rows, digest: sum.toString("hex") }),
  };
}

/** The same text for the same values, from whichever engine they come: members in the order of their names, and bytes in hex. */
function canonical(value: object): string {
  return JSON.stringify(ordered(value));
}

function ordered(value: unknown): unknown {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}
