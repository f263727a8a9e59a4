import { Anchor, Button, List, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Fragment, useState, type ReactElement } from "react";
import { Link } from "wouter";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { OVERVIEW_KEY } from "../../live/use-statuses.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type Entry = components["schemas"]["Activity"]["entries"][number];

const FIRST_SHOWN = 5;
const MAX_SHOWN = 200;
/** Checks of an entry that are named. */
const MAX_NAMED = 3;
const REFRESH_MS = 60_000;

const words = {
  down: ["overview.wentDown", "var(--wp-down)"],
  up: ["overview.cameBack", "var(--wp-up)"],
  acknowledged: ["overview.wereAcknowledged", undefined],
  maintenance: ["overview.maintenanceBegan", undefined],
  resumed: ["overview.maintenanceEnded", undefined],
} as const satisfies Readonly<Record<Entry["kind"], readonly [MessageId, string | undefined]>>;

/** Events of the last 24 hours, newest first. */
export function Activity(): ReactElement | null {
  const text = useText();
  const durations = useDurations();
  const [limit, setLimit] = useState(FIRST_SHOWN);
  const { data } = useQuery({
    queryKey: [...OVERVIEW_KEY, "activity", limit],
    queryFn: () => dataOf(api.GET("/statuses/activity", { params: { query: { limit } } })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return null;
  const { outages, longestms, entries, more } = data;
  return (
    <section aria-labelledby="activity">
      <Title order={2} size="h4" mt="lg" mb="xs" id="activity">
        {text("overview.lastDay")}
      </Title>
      <Text mb="xs">
        {text("overview.outages", { count: outages, duration: durations.short(longestms) })}
      </Text>
      <List spacing={4} size="sm" listStyleType="none" aria-labelledby="activity">
        {entries.map((entry) => (
          <List.Item key={`${entry.kind} ${entry.at} ${entry.checks[0]?.id}`}>
            <Line entry={entry} />
          </List.Item>
        ))}
      </List>
      {more && limit < MAX_SHOWN && (
        <Button
          size="xs"
          variant="default"
          mt="sm"
          onClick={() => setLimit(Math.min(MAX_SHOWN, limit * 4))}
        >
          {text("overview.showMore")}
        </Button>
      )}
    </section>
  );
}

function Line({ entry }: { readonly entry: Entry }): ReactElement {
  const text = useText();
  const durations = useDurations();
  const { kind, at, count, checks, ms = 0, by = "", result = "", message = result } = entry;
  const [id, color] = words[kind];
  const named = checks.slice(0, MAX_NAMED);
  const others = count - named.length;
  return (
    <>
      <Text span inherit c="dimmed">
        <time dateTime={new Date(at).toISOString()}>{durations.time(at)}</time>
      </Text>
      {" · "}
      <Text span inherit fw={600} {...(color !== undefined && { c: color })}>
        {text(id, { count, duration: durations.short(ms), name: visibleText(by) })}
      </Text>
      {": "}
      {named.map((check, index) => (
        <Fragment key={check.id}>
          {index > 0 && ", "}
          <Anchor component={Link} href={`/checks/${check.id}`} inherit>
            <ForeignText>{check.label}</ForeignText>
          </Anchor>
        </Fragment>
      ))}
      {others > 0 && ` ${text("overview.andMore", { count: others })}`}
      {message !== "" && (
        <>
          {" · "}
          <ForeignText>{message}</ForeignText>
        </>
      )}
    </>
  );
}
