import { List, Text } from "@mantine/core";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { dropReasons } from "../../locales/en/drop-reasons.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type Alerts = components["schemas"]["DownStatus"]["alerts"];

const sentences = {
  delivered: "overview.alertDelivered",
  failed: "overview.alertFailed",
  waiting: "overview.alertWaiting",
  held: "overview.alertHeld",
  dropped: "overview.alertDropped",
} as const satisfies Readonly<Record<Alerts[number]["status"], MessageId>>;

/** Who was alerted of an outage. */
export function AlertList({ alerts }: { readonly alerts: Alerts }): ReactElement {
  const text = useText();
  const [only] = alerts;
  if (only === undefined)
    return (
      <Text size="sm" c="dimmed">
        {text("overview.nobodyAlerted")}
      </Text>
    );
  return (
    <List size="sm" aria-label={text("overview.alerts")} listStyleType="none">
      {alerts.map(({ name, type, status, reason }, index) => (
        <List.Item key={`${name} ${type} ${index}`}>
          {text(sentences[status], {
            name: visibleText(name),
            type,
            reason: reasonText(reason, text),
          })}
        </List.Item>
      ))}
    </List>
  );
}

function reasonText(reason: string | undefined, text: ReturnType<typeof useText>): string {
  if (reason === undefined) return "";
  return isDropReason(reason) ? text(`dropReasons.${reason}`) : reason;
}

function isDropReason(reason: string): reason is keyof typeof dropReasons {
  return Object.hasOwn(dropReasons, reason);
}
