import { Button, Group, List, Text, Title } from "@mantine/core";
import { AlertFillIcon, CheckCircleFillIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState, type ReactElement } from "react";
import { Link } from "wouter";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { mutedAt, type StatusList } from "../../live/status-list.ts";
import { StaleNotice } from "../../live/stale-notice.tsx";
import { useNow } from "../../live/use-now.ts";
import { OVERVIEW_KEY, useStatuses } from "../../live/use-statuses.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { loadedLater } from "../../parts/loaded-later.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { ZoneProposal } from "../../parts/zone-proposal.tsx";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { AddCheckButton } from "../checks/add-check-button.tsx";
import { CheckBrowser } from "../checks/check-browser.tsx";
import { EndingList, TroubleList } from "./notable-lists.tsx";

const Activity = loadedLater(async () => (await import("./activity.tsx")).Activity);
const DownCards = loadedLater(async () => (await import("./down-cards.tsx")).DownCards);

type Overview = components["schemas"]["Overview"];

const REFRESH_MS = 30_000;
const NOW_INTERVAL_MS = 10_000;

/** Overview: important events first, then all checks. */
export function OverviewPage(): ReactElement {
  const text = useText();
  const [seen, setSeen] = useState<readonly string[]>([]);
  const { query: statuses, freshness } = useStatuses(seen);
  const overview = useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: () => dataOf(api.GET("/statuses/overview")),
    refetchInterval: REFRESH_MS,
  });
  const { isStale } = freshness;
  return (
    <>
      <PageTitle title={text("overview.title")}>
        <AddCheckButton />
      </PageTitle>
      <ZoneProposal />
      <StaleNotice {...freshness} />
      <Loaded query={overview}>
        {(found) => (
          <div style={isStale ? { filter: "grayscale(1)" } : undefined}>
            <Summary overview={found} statuses={statuses.data} isStale={isStale} />
            {Object.values(found.counts).some((count) => count > 0) && (
              <Suspense>
                <Activity />
              </Suspense>
            )}
          </div>
        )}
      </Loaded>
      <Loaded query={statuses}>
        {(list) =>
          list.size === 0 ? null : (
            <section aria-labelledby="all-checks">
              <Title order={2} size="h4" mt="xl" mb="sm" id="all-checks">
                {text("overview.allChecks")}
              </Title>
              <CheckBrowser list={list} isStale={isStale} seen={setSeen} />
            </section>
          )
        }
      </Loaded>
    </>
  );
}

interface SummaryProps {
  readonly overview: Overview;
  /** Undefined until they are read. */
  readonly statuses: StatusList | undefined;
  readonly isStale: boolean;
}

function Summary({ overview, statuses, isStale }: SummaryProps): ReactElement {
  const now = useNow(NOW_INTERVAL_MS);
  return (
    <>
      <Sentence overview={overview} statuses={statuses} now={now} isStale={isStale} />
      <ServiceHealth service={overview.service} />
      {overview.down.length > 0 && (
        <Suspense>
          <DownCards overview={overview} now={now} />
        </Suspense>
      )}
      <EndingList ending={overview.ending} now={now} />
      <TroubleList troubles={overview.troubles} />
    </>
  );
}

/** How everything is, in one sentence; what is old is never green. */
function Sentence({
  overview: { counts, longest, service },
  statuses = new Map(),
  now,
  isStale,
}: SummaryProps & { readonly now: number }): ReactElement {
  const text = useText();
  const durations = useDurations();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return <FirstSteps />;
  const { down, up } = counts;
  const isAllUp = up === total;
  const sentence =
    down > 0
      ? text("overview.someDown", { down, total })
      : text(isAllUp ? "overview.allUp" : "overview.noneDown");
  const addition =
    longest === undefined
      ? ""
      : `, ${text("overview.longest", { duration: durations.short(now - longest.since) })}`;
  const muted = mutedAt(statuses, now);
  // Without data, nothing counts as healthy.
  const isKnown = !isStale && (down > 0 || (up > 0 && service.ready));
  const color = down > 0 ? "var(--wp-down)" : "var(--wp-up)";
  return (
    <Title order={2} size="h3" mb="xs" c={isKnown ? color : "var(--wp-unknown)"} aria-live="polite">
      {sentence}
      {addition}
      {muted > 0 && (
        <Text span inherit fw={400} c="var(--wp-unknown)">
          {" · "}
          {text("overview.muted", { count: muted })}
        </Text>
      )}
    </Title>
  );
}

function FirstSteps(): ReactElement {
  const text = useText();
  const mayEdit = useMay("edit");
  return (
    <>
      <Text mb="md">{text("overview.none")}</Text>
      {mayEdit && (
        <Button component={Link} href="/welcome" mb="md">
          {text("overview.firstSteps")}
        </Button>
      )}
    </>
  );
}

interface Props {
  readonly service: components["schemas"]["Overview"]["service"];
}

/** How the monitoring itself is: where it does not work, what it says of checks counts less. */
function ServiceHealth({ service }: Props): ReactElement {
  const text = useText();
  const durations = useDurations();
  const { ready, reasons, problems, locations, alerts } = service;
  const isWell = ready && !problems.some(({ critical }) => critical);
  const StateIcon = isWell ? CheckCircleFillIcon : AlertFillIcon;
  const facts = [
    locations.length === 0
      ? text("overview.noLocations")
      : text("overview.locations", {
          count: locations.length,
          codes: locations.map(visibleText).join(", "),
        }),
    text("overview.alertsWaiting", { count: alerts }),
  ];
  return (
    <section aria-label={text("overview.service")}>
      <Group gap="xs" mb="md">
        <Group gap={6} wrap="nowrap" c={isWell ? "var(--wp-up)" : "var(--wp-down)"} fw={600}>
          <StateIcon size={16} />
          {text(isWell ? "overview.serviceReady" : "overview.serviceNotReady")}
        </Group>
        <Text size="sm" c="dimmed">
          {facts.join(" · ")}
        </Text>
      </Group>
      {reasons.length > 0 && (
        <List mb="md" c="var(--wp-down)">
          {reasons.map((reason) => (
            <List.Item key={reason}>{visibleText(reason)}</List.Item>
          ))}
        </List>
      )}
      {problems.length > 0 && (
        <List mb="md" aria-label={text("overview.problems")}>
          {problems.map(({ name, subject, critical, since }) => (
            <List.Item
              key={`${name} ${subject}`}
              c={critical ? "var(--wp-down)" : "var(--wp-unknown)"}
            >
              {text(`problems.${name}`, {
                subject: visibleText(subject),
                since: durations.time(since),
              })}
            </List.Item>
          ))}
        </List>
      )}
    </section>
  );
}
