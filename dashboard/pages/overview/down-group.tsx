import { Anchor, Button, Card, Group, List, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState, type ReactElement } from "react";
import { Link } from "wouter";

import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { OVERVIEW_KEY } from "../../live/use-statuses.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { useBulkChange } from "../checks/use-bulk-change.ts";

type Group = components["schemas"]["DownGroup"];

/** As many are shown; the others are in the list of checks. */
const MAX_ROWS = 100;

interface Props {
  readonly group: Group;
  readonly now: number;
}

/** Checks of one host that fail alike, or of several hosts; their names are shown on request. */
export function DownGroup({ group, now }: Props): ReactElement {
  const text = useText();
  const durations = useDurations();
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const mayEdit = useMay("edit");
  const { host, result, message, since, count, unacknowledged, checks } = group;
  const subject = host === undefined ? text("overview.severalHosts") : visibleText(host);
  const title = text("overview.checksOf", { subject, count });
  const cause = message === "" ? result : message;
  const isWhole = checks.length === count;
  return (
    <Card withBorder padding="sm" mb="sm" component="article" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <StateBadge state="down" />
        <Text size="sm" title={durations.time(since)}>
          {text("overview.downFor", { duration: durations.short(now - since) })}
        </Text>
      </Group>
      <Title order={3} size="h5" mt={4}>
        <bdi>{title}</bdi>
      </Title>
      <Text mt={4}>
        <ForeignText>{cause}</ForeignText>
      </Text>
      {unacknowledged < count && (
        <Text size="sm" fw={600}>
          {text("overview.acknowledgedOf", { count: count - unacknowledged, total: count })}
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {text(isOpen ? "overview.hideChecks" : "overview.showChecks")}
        </Button>
        {mayEdit && isWhole && unacknowledged > 0 && <AcknowledgeGroup group={group} />}
      </Group>
      <div id={listId}>
        {isOpen && <DownRows checks={checks.slice(0, MAX_ROWS)} now={now} />}
        {isOpen && count > MAX_ROWS && (
          <Text mt="xs" size="sm">
            <Anchor component={Link} href="/checks?state=down">
              {text("overview.more", { count: count - MAX_ROWS })}
            </Anchor>
          </Text>
        )}
      </div>
    </Card>
  );
}

function AcknowledgeGroup({ group: { checks } }: Pick<Props, "group">): ReactElement {
  const text = useText();
  const client = useQueryClient();
  const bulk = useBulkChange();
  const ids = checks.flatMap(({ id, by }) => (by === undefined ? [id] : []));
  return (
    <Button
      size="xs"
      variant="default"
      loading={bulk.isPending}
      onClick={() =>
        bulk.mutate(
          { ids, change: { acknowledge: true } },
          { onSuccess: () => void client.invalidateQueries({ queryKey: OVERVIEW_KEY }) },
        )
      }
    >
      {text("overview.acknowledgeGroup", { count: ids.length })}
    </Button>
  );
}

interface RowsProps {
  readonly checks: Group["checks"];
  readonly now: number;
}

/** Checks that are down, a line each. */
export function DownRows({ checks, now }: RowsProps): ReactElement | null {
  const text = useText();
  const durations = useDurations();
  if (checks.length === 0) return null;
  return (
    <List mt="sm" size="sm" spacing={4} listStyleType="none">
      {checks.map(({ id, label, since, by }) => (
        <List.Item key={id}>
          <Anchor component={Link} href={`/checks/${id}`}>
            <ForeignText>{label}</ForeignText>
          </Anchor>
          {" · "}
          {text("overview.downFor", { duration: durations.short(now - since) })}
          {by !== undefined && ` · ${text("overview.acknowledged", { name: visibleText(by) })}`}
        </List.Item>
      ))}
    </List>
  );
}
