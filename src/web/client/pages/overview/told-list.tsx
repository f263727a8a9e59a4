import { List, Text } from "@mantine/core";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { dropReasons } from "../../locales/en/drop-reasons.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

type Told = components["schemas"]["DownStatus"]["told"];

const sentences = {
  delivered: "overview.toldDelivered",
  failed: "overview.toldFailed",
  waiting: "overview.toldWaiting",
  held: "overview.toldHeld",
  dropped: "overview.toldDropped",
} as const satisfies Readonly<Record<Told[number]["status"], MessageId>>;

/** Who was told of an outage. */
export function ToldList({ told }: { readonly told: Told }): ReactElement {
  const text = useText();
  const [only] = told;
  if (only === undefined)
    return (
      <Text size="sm" c="dimmed">
        {text("overview.nobodyTold")}
      </Text>
    );
  return (
    <List size="sm" aria-label={text("overview.told")} listStyleType="none">
      {told.map(({ name, type, status, reason }, index) => (
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
