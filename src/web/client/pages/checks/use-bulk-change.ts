import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { UseMutationResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import type { operations } from "../../api/schema.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type Sent = NonNullable<operations["postChecksBulk"]["requestBody"]>["content"]["application/json"];
export type BulkChange = Omit<Sent, "checklist" | "customerid">;

interface Wanted {
  readonly ids: readonly string[];
  readonly change: BulkChange;
}

/** Changes checks alike, and says of how many that was not possible. The list is told by the stream. */
export function useBulkChange(): UseMutationResult<unknown, Error, Wanted> {
  const text = useText();
  return useMutation({
    mutationFn: async ({ ids, change }: Wanted) => {
      const body = { ...change, checklist: [...ids] };
      const { changed, checks } = await dataOf(api.POST("/checks/bulk", { body }));
      const [refused, ...more] = Object.values(checks).flatMap(({ error }) => error ?? []);
      notifications.show({ message: text("checks.changed", { count: changed }), role: "status" });
      if (refused !== undefined)
        notifications.show({
          color: "red",
          role: "alert",
          message: text("checks.notChanged", {
            count: more.length + 1,
            reason: visibleText(refused),
          }),
        });
    },
    onError: (error) =>
      notifications.show({ color: "red", role: "alert", message: visibleText(error.message) }),
  });
}

const HOUR_MS = 3_600_000;

/** Holds checks for an hour. */
export function useMaintenance(): UseMutationResult<unknown, Error, readonly string[]> {
  const text = useText();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      await dataOf(
        api.POST("/maintenance", { body: { duration: HOUR_MS / 60_000, checklist: [...ids] } }),
      );
      notifications.show({
        message: text("checks.changed", { count: ids.length }),
        role: "status",
      });
    },
    onError: (error) =>
      notifications.show({ color: "red", role: "alert", message: visibleText(error.message) }),
  });
}
