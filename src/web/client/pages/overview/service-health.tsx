import { Group, List, Text } from "@mantine/core";
import { AlertFillIcon, CheckCircleFillIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

interface Props {
  readonly service: components["schemas"]["Overview"]["service"];
}

/** How the monitoring itself is: where it does not work, what it says of checks counts less. */
export function ServiceHealth({ service }: Props): ReactElement {
  const text = useText();
  const { ready, reasons, locations, alerts } = service;
  const StateIcon = ready ? CheckCircleFillIcon : AlertFillIcon;
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
        <Group gap={6} wrap="nowrap" c={ready ? "var(--wp-up)" : "var(--wp-down)"} fw={600}>
          <StateIcon size={16} />
          {text(ready ? "overview.serviceReady" : "overview.serviceNotReady")}
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
    </section>
  );
}
