import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

import { api, dataOf } from "../api/api.ts";
import type { BarDay } from "../../src/domain/day-bar.ts";

export interface RowHistory {
  /** The last 90 days, ending today. */
  readonly days: readonly BarDay[];
  /** The median run time of each of the last 24 hours. */
  readonly runTimes: readonly (number | null)[];
}

type Histories = ReadonlyMap<string, RowHistory>;

const ASK_AFTER_MS = 300;
const FRESH_FOR_MS = 300_000;
const MAX_ASKED = 100;

/** Returns the history of the visible checks: requested once they stay on the screen, and cached for some minutes. */
export function useRowHistory(ids: readonly string[]): Histories {
  const [histories, setHistories] = useState<Histories>(new Map());
  const askedAt = useRef(new Map<string, number>());
  const [settled] = useDebouncedValue(ids.join(","), ASK_AFTER_MS);
  useEffect(() => {
    const now = Date.now();
    const wanted = settled
      .split(",")
      .filter((id) => id !== "" && now - (askedAt.current.get(id) ?? 0) > FRESH_FOR_MS)
      .slice(0, MAX_ASKED);
    if (wanted.length === 0) return;
    for (const id of wanted) askedAt.current.set(id, now);
    read(wanted)
      .then((found) => setHistories((before) => new Map([...before, ...found])))
      // The list says all that matters without it: it is asked for again when they are seen again.
      .catch(() => {
        for (const id of wanted) askedAt.current.delete(id);
      });
  }, [settled]);
  return histories;
}

async function read(ids: readonly string[]): Promise<Histories> {
  const params = { query: { id: ids.join(",") } };
  const [days, runTimes] = await Promise.all([
    dataOf(api.GET("/results/days", { params })),
    dataOf(api.GET("/statuses/runtimes", { params })),
  ]);
  return new Map(
    ids.map((id) => {
      const { state = [], enabled = [], down = [] } = days.checks[id] ?? {};
      const bars = state.map((each, index) => ({
        state: each,
        downMs: down[index] ?? 0,
        enabledMs: enabled[index] ?? 0,
      }));
      return [id, { days: bars, runTimes: runTimes.checks[id] ?? [] }];
    }),
  );
}
