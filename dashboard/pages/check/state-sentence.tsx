import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { stateColors } from "../../parts/state.ts";
import { useText } from "../../text.ts";
import {
  isHeartbeat,
  isWaiting,
  statusQuery,
  type Check,
  type PastEvent,
} from "./check-queries.ts";
import { useFormats } from "./formats.ts";

interface Props {
  readonly check: Check;
  readonly events: readonly PastEvent[];
}

/** What the check is now, since when, and why. */
export function StateSentence({ check, events }: Props): ReactElement {
  const text = useText();
  const { duration } = useFormats();
  const { data } = useQuery(statusQuery(check._id));
  if (!data) return <Group my="xs" mih={26} role="status" />;
  const { status, since } = data;
  const outage = events.find(({ type, open }) => type === "down" && open);
  const reason = status === "down" ? outage?.message || outage?.code || "" : "";
  return (
    <Group gap="sm" my="xs" mih={26} role="status">
      <StateBadge state={status} />
      <Text c={stateColors[status]} fw={600}>
        {isWaiting(data)
          ? text(isHeartbeat(check) ? "check.firstHeartbeat" : "check.firstRun")
          : text("check.since", { duration: duration(Date.now() - since) })}
      </Text>
      {reason !== "" && (
        <Text>
          <ForeignText>{reason}</ForeignText>
        </Text>
      )}
    </Group>
  );
}
