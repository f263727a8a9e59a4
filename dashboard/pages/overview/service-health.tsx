import { Group, List, Text } from "@mantine/core";
import { AlertFillIcon, CheckCircleFillIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { useDurations } from "../../live/durations.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

interface Props {
  readonly service: components["schemas"]["Overview"]["service"];
}

/** How the monitoring itself is: where it does not work, what it says of checks counts less. */
export function ServiceHealth({ service }: Props): ReactElement {
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
