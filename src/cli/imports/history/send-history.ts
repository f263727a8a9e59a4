import { z } from "zod";

import { parseResponse, type ApiClient } from "../../api-client.ts";
import type { History } from "./history.ts";

/** Maximum spans of each kind in one request. */
const MAX_AT_ONCE = 500;

const stored = z.object({ origin: z.string(), start: z.number(), end: z.number() });
const storedById = z.record(z.string(), stored);

type Stored = z.output<typeof stored>;
/** Imported histories of checks, by check ID. */
export type Histories = Readonly<Record<string, Stored>>;

export async function readHistories(api: ApiClient): Promise<Histories> {
  return parseResponse(storedById, await api("GET", "importedhistories"));
}

interface Sent {
  readonly id: string;
  readonly origin: string;
  readonly history: History;
  /** History that the check already has. */
  readonly known: Stored | undefined;
}

/** Sends the missing history, oldest first, so that an interrupted import resumes where it ended. */
export async function sendHistory(
  api: ApiClient,
  { id, origin, history, known }: Sent,
): Promise<void> {
  for (const part of partsOf(history)) {
    const { start, end, ...spans } = part;
    if (known !== undefined && known.start <= start && end <= known.end) continue;
    const answer = await api("POST", `importedhistories/${id}`, { origin, ...spans });
    // The rest is of a time that the check knows itself.
    if (parseResponse(stored, answer).end < end) return;
  }
}

type Part = Pick<History, "known" | "outages" | "maintenance"> & {
  readonly start: number;
  readonly end: number;
};

/** Splits a history into consecutive parts, with no outage across a boundary. */
export function partsOf({ known, outages, maintenance }: History): readonly Part[] {
  const parts: Part[] = [];
  const last = Math.max(known.at(-1)?.end ?? 0, maintenance.at(-1)?.end ?? 0);
  let start = Math.min(known[0]?.start ?? Infinity, maintenance[0]?.start ?? Infinity);
  while (start < last) {
    const ends = [known, outages, maintenance].map(
      (spans) => spans.filter((span) => span.end > start)[MAX_AT_ONCE - 1]?.end ?? last,
    );
    // No outage spans this point, because each lies within one known period.
    const end = Math.min(...ends);
    parts.push({
      start,
      end,
      known: within(known, start, end),
      outages: within(outages, start, end),
      maintenance: within(maintenance, start, end),
    });
    start = end;
  }
  return parts;
}

function within<Kept extends { readonly start: number; readonly end: number }>(
  spans: readonly Kept[],
  from: number,
  to: number,
): readonly Kept[] {
  return spans
    .filter(({ start, end }) => start < to && end > from)
    .map((span) => ({ ...span, start: Math.max(span.start, from), end: Math.min(span.end, to) }));
}
