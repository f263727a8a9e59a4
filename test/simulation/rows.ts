import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Row = Readonly<Record<string, unknown>>;

export interface FlipRow {
  readonly id: string;
  readonly checkNo: number;
  readonly from: string | undefined;
  readonly to: string;
  readonly at: number;
  readonly since: number;
  readonly revision: number;
}

export interface AlertRow {
  readonly id: string;
  readonly flipId: string;
  readonly outage: string | undefined;
  readonly kind: string;
  readonly number: number;
  readonly contactId: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly possiblySent: boolean;
  /** Set on an Up whose Down could not be delivered. */
  readonly isMissed: boolean;
}

export interface SpanRow {
  readonly checkNo: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number | undefined;
}

export interface CheckRow {
  readonly no: number;
  readonly id: string;
  readonly enabled: boolean;
  readonly state: string | undefined;
  readonly downSince: number | undefined;
  readonly inTrouble: boolean;
}

/** Database content, read without the store under test; each table in write order. */
export interface Rows {
  readonly checks: readonly CheckRow[];
  readonly spans: readonly SpanRow[];
  readonly flips: readonly FlipRow[];
  readonly alerts: readonly AlertRow[];
}

export function readRows(directory: string): Rows {
  const database = new DatabaseSync(join(directory, "watchpost.db"), { readOnly: true });
  const read = (sql: string): readonly Row[] => database.prepare(sql).all();
  const rows = {
    checks: read(
      "SELECT *, EXISTS (SELECT 1 FROM gaps WHERE gaps.check_no = no AND is_open = 1) AS in_trouble FROM checks JOIN check_states ON check_states.check_no = no ORDER BY no",
    ).map((row) => ({
      no: Number(row.no),
      id: String(row.id),
      enabled: row.enabled === 1 && row.disabled_with_all === 0,
      state: text(row.state),
      downSince: number(row.down_since),
      inTrouble: row.in_trouble === 1,
    })),
    spans: read("SELECT * FROM spans ORDER BY start_at, seq").map((row) => ({
      checkNo: Number(row.check_no),
      kind: String(row.kind),
      start: Number(row.start_at),
      end: number(row.end_at),
    })),
    flips: read("SELECT * FROM flips ORDER BY rowid").map((row) => ({
      id: String(row.id),
      checkNo: Number(row.check_no),
      from: text(row.from_state),
      to: String(row.to_state),
      at: Number(row.at),
      since: Number(row.since),
      revision: Number(row.revision),
    })),
    alerts: read("SELECT * FROM alerts ORDER BY seq").map((row) => ({
      id: String(row.id),
      flipId: String(row.flip_id),
      outage: text(row.outage),
      kind: String(row.kind),
      number: Number(row.number),
      contactId: String(row.contact_id),
      status: String(row.status),
      reason: text(row.reason),
      possiblySent: row.possibly_sent === 1,
      isMissed: row.sent_kind === "missed",
    })),
  };
  database.close();
  return rows;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
