import { Anchor, Button, Card, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { useNotices } from "../../live/use-notices.ts";
import type { StatusList } from "../../live/status-list.ts";
import { OVERVIEW_KEY, STATUSES_KEY } from "../../live/use-statuses.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { MuteMenu } from "../../parts/mute-menu.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { useBulkChange, useMaintenance } from "../checks/use-bulk-change.ts";
import { PostIncident } from "../incidents/post-incident.tsx";
import { AlertList } from "./alert-list.tsx";
import { DownGroup, DownRows } from "./down-group.tsx";

type Overview = components["schemas"]["Overview"];
type Down = components["schemas"]["DownStatus"];

interface Props {
  readonly overview: Overview;
  readonly now: number;
}

/** As many are shown with all that is known of them. */
const FEW = 6;
const MAX_CARDS = 12;

/** Failing checks: a few as cards, many grouped by host and cause. */
export function DownCards({ overview, now }: Props): ReactElement {
  const text = useText();
  const mayEdit = useMay("edit");
  const { down, counts } = overview;
  const isMany = counts.down > FEW;
  const groups = isMany ? overview.groups.filter(({ count }) => count > 1) : [];
  const singles = overview.groups.flatMap(({ count, checks }) => (count === 1 ? checks : []));
  const alone = new Set(singles.map(({ id }) => id));
  const cards = isMany ? down.filter(({ id }) => alone.has(id)).slice(0, MAX_CARDS) : down;
  const carded = new Set(cards.map(({ id }) => id));
  const rows = isMany ? singles.filter(({ id }) => !carded.has(id)) : [];
  const inGroups = groups.reduce((sum, { count }) => sum + count, 0);
  const more = counts.down - inGroups - cards.length - rows.length;
  const unacknowledged = down.filter(({ acknowledged }) => acknowledged === undefined);
  return (
    <section aria-label={text("overview.down")}>
      {mayEdit && unacknowledged.length > 1 && <AcknowledgeAll />}
      {groups.map((group) => (
        <DownGroup key={`${group.host} ${group.result}`} group={group} now={now} />
      ))}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="sm">
        {cards.map((check) => (
          <DownCard key={check.id} check={check} now={now} />
        ))}
      </SimpleGrid>
      <DownRows checks={rows} now={now} />
      {more > 0 && (
        <Text mt="sm">
          <Anchor component={Link} href="/checks?state=down">
            {text("overview.more", { count: more })}
          </Anchor>
        </Text>
      )}
    </section>
  );
}

/** As many as one request changes. */
const MAX_ACKNOWLEDGED = 1000;

/** Acknowledges whatever is down, also the checks that have no card. */
function AcknowledgeAll(): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const bulk = useBulkChange();
  const acknowledge = (): void => {
    const statuses = [...(client.getQueryData<StatusList>(STATUSES_KEY)?.values() ?? [])];
    const ids = statuses.flatMap(({ id, status }) => (status === "down" ? [id] : []));
    bulk.mutate(
      { ids: ids.slice(0, MAX_ACKNOWLEDGED), change: { acknowledge: true } },
      { onSuccess: () => void client.invalidateQueries({ queryKey: OVERVIEW_KEY }) },
    );
  };
  return (
    <Button size="xs" variant="default" mb="sm" loading={bulk.isPending} onClick={acknowledge}>
      {text("overview.acknowledgeAll")}
    </Button>
  );
}

function DownCard({ check, now }: { readonly check: Down; readonly now: number }): ReactElement {
  const text = useText();
  const durations = useDurations();
  const mayEdit = useMay("edit");
  const { id, label, target, since, message, result, acknowledged, dep, answer } = check;
  const duration = durations.short(now - since);
  return (
    <Card withBorder padding="sm" component="article" aria-label={visibleText(label)}>
      <Group justify="space-between" gap="xs">
        <StateBadge state="down" />
        <Text size="sm" title={durations.time(since)}>
          {text("overview.downFor", { duration })}
        </Text>
      </Group>
      <Title order={3} size="h5" mt={4}>
        <Anchor component={Link} href={`/checks/${id}`} inherit c="inherit">
          <ForeignText>{label}</ForeignText>
        </Anchor>
      </Title>
      {target !== "" && target !== label && (
        <Text size="sm" c="dimmed">
          <ForeignText>{target}</ForeignText>
        </Text>
      )}
      <Text mt={4}>
        <ForeignText>{message === "" ? result : message}</ForeignText>
      </Text>
      {answer !== undefined && <Answer answer={answer} />}
      <AlertList alerts={check.alerts} />
      {dep !== undefined && (
        <Text size="sm">
          <Anchor component={Link} href={`/checks/${dep}`}>
            {text("overview.dependsOn")}
          </Anchor>
        </Text>
      )}
      {acknowledged !== undefined && (
        <Text size="sm" fw={600}>
          {text("overview.acknowledged", { name: visibleText(acknowledged.by) })}
          {acknowledged.note !== "" && <ForeignText>{`: ${acknowledged.note}`}</ForeignText>}
        </Text>
      )}
      {mayEdit && <Actions check={check} />}
    </Card>
  );
}

/** Response of the target, collapsed. */
function Answer({ answer }: { readonly answer: string }): ReactElement {
  const text = useText();
  return (
    <details>
      <summary>{text("overview.answered")}</summary>
      <Text component="pre" size="sm" m={0} style={{ whiteSpace: "pre-wrap" }}>
        {visibleText(answer)}
      </Text>
    </details>
  );
}

function Actions({ check }: { readonly check: Down }): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const bulk = useBulkChange();
  const maintenance = useMaintenance();
  const notices = useNotices();
  const { name } = useSession();
  const { id, driver, acknowledged, mute } = check;
  const acknowledge = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST("/checks/acknowledge/{id}", {
          params: { path: { id } },
          body: name === "" ? {} : { by: name },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: OVERVIEW_KEY }),
    onError: notices.failed,
  });
  const run = useMutation({
    mutationFn: () => dataOf(api.POST("/checks/run/{id}", { params: { path: { id } } })),
    onSuccess: () => notices.done(text("overview.started")),
    onError: notices.failed,
  });
  const isMuted = mute !== undefined;
  return (
    <Group gap="xs" mt="sm">
      {acknowledged === undefined && (
        <Button
          size="xs"
          variant="default"
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate()}
        >
          {text("overview.acknowledge")}
        </Button>
      )}
      {driver === "probe" && (
        <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
          {text("overview.runNow")}
        </Button>
      )}
      {isMuted ? (
        <Button
          size="xs"
          variant="default"
          loading={bulk.isPending}
          onClick={() => bulk.mutate({ ids: [id], change: { mute: false } })}
        >
          {text("checks.unmute")}
        </Button>
      ) : (
        <MuteMenu
          size="xs"
          loading={bulk.isPending}
          mute={(until) => bulk.mutate({ ids: [id], change: { mute: until } })}
        />
      )}
      <Button
        size="xs"
        variant="default"
        loading={maintenance.isPending}
        onClick={() => maintenance.mutate([id])}
      >
        {text("overview.maintainHour")}
      </Button>
      <PostIncident checkId={id} />
    </Group>
  );
}
