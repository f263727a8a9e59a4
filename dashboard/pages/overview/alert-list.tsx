import { List, Text as Paragraph } from "@mantine/core";
import type { ReactElement } from "react";

import { dropReasons, type DropReason } from "../../../src/domain/alert/alert.ts";
import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText, type Text } from "../../text.ts";
import { receiverText } from "../contacts/contact.ts";

type Alerts = components["schemas"]["DownStatus"]["alerts"];

const sentences = {
  delivered: "overview.alertDelivered",
  failed: "overview.alertFailed",
  waiting: "overview.alertWaiting",
  held: "overview.alertHeld",
  dropped: "overview.alertDropped",
} as const satisfies Readonly<Record<Alerts[number]["status"], MessageId>>;

/** Alerts of an outage. */
export function AlertList({ alerts }: { readonly alerts: Alerts }): ReactElement {
  const text = useText();
  const [only] = alerts;
  if (only === undefined)
    return (
      <Paragraph size="sm" c="dimmed">
        {text("overview.nobodyAlerted")}
      </Paragraph>
    );
  return (
    <List size="sm" aria-label={text("overview.alerts")} listStyleType="none">
      {alerts.map(({ name, type, service, status, reason }, index) => (
        <List.Item key={`${name} ${type} ${index}`}>
          {text(sentences[status], {
            who: recipientText(name, { kind: type, service }, text),
            reason: reasonText(reason, text),
          })}
        </List.Item>
      ))}
    </List>
  );
}

/** A contact and the kind of its address; either may have been deleted since. */
function recipientText(
  name: string,
  address: { readonly kind: string; readonly service: string | undefined },
  text: Text,
): string {
  const known = visibleText(name) || text("groups.gone");
  return address.kind === "" ? known : `${known} (${receiverText(address, text)})`;
}

function reasonText(reason: string | undefined, text: Text): string {
  if (reason === undefined) return "";
  return isDropReason(reason) ? text(`dropReasons.${reason}`) : reason;
}

function isDropReason(reason: string): reason is DropReason {
  return dropReasons.some((known) => known === reason);
}
