import { Group, Text } from "@mantine/core";
import { CheckCircleIcon, ClockIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Instant } from "../../parts/records/instant.tsx";
import { useText } from "../../text.ts";
import { writeWeek, type Week } from "./week.ts";

/** Whether alerts go out now by a week, and when next, as the service sees it. */
export function OpenNow({ week }: { readonly week: Week }): ReactElement | null {
  const text = useText();
  const data = JSON.stringify(writeWeek(week));
  const { data: found } = useQuery({
    queryKey: ["schedule-preview", data],
    queryFn: () =>
      dataOf(
        api.GET("/schedules/preview", {
          params: { query: { data: {} } },
          querySerializer: () => new URLSearchParams({ data }).toString(),
        }),
      ),
    placeholderData: (before) => before,
  });
  if (found === undefined) return null;
  const { open, opens } = found;
  return (
    <Group gap={6} wrap="nowrap" c={open ? "var(--wp-up)" : "var(--wp-partly)"} role="status">
      {open ? <CheckCircleIcon size={14} /> : <ClockIcon size={14} />}
      <Text size="sm" c="inherit">
        {open && text("schedules.openNow")}
        {!open && opens === undefined && text("schedules.neverOpens")}
        {!open && opens !== undefined && (
          <>
            {text("schedules.opens")} <Instant at={opens} isOfAccount />
          </>
        )}
      </Text>
    </Group>
  );
}
