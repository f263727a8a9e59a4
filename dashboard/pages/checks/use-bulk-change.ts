import { useMutation, type UseMutationResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { operations } from "../../api/schema.ts";
import { useNotices } from "../../live/use-notices.ts";
import { useText } from "../../text.ts";

type Sent = NonNullable<operations["postChecksBulk"]["requestBody"]>["content"]["application/json"];
export type BulkChange = Omit<Sent, "checklist" | "customerid">;

interface Wanted {
  readonly ids: readonly string[];
  readonly change: BulkChange;
}

/** Changes checks alike, and says of how many that was not possible. The list learns of it by the stream. */
export function useBulkChange(): UseMutationResult<void, Error, Wanted> {
  const text = useText();
  const notices = useNotices();
  return useMutation({
    mutationFn: async ({ ids, change }: Wanted) => {
      const body = { ...change, checklist: [...ids] };
      const { changed, checks } = await dataOf(api.POST("/checks/bulk", { body }));
      const [reason, ...more] = Object.values(checks).flatMap(({ error }) => error ?? []);
      notices.done(text("checks.changed", { count: changed }));
      if (reason !== undefined)
        notices.failed(new Error(text("checks.notChanged", { count: more.length + 1, reason })));
    },
    onError: notices.failed,
  });
}

const MINUTES = 60;

/** Holds checks for an hour. */
export function useMaintenance(): UseMutationResult<void, Error, readonly string[]> {
  const text = useText();
  const notices = useNotices();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const body = { duration: MINUTES, checklist: [...ids] };
      await dataOf(api.POST("/maintenance", { params: { query: { id: "ad-hoc" } }, body }));
      notices.done(text("checks.changed", { count: ids.length }));
    },
    onError: notices.failed,
  });
}
