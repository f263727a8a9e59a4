import type { AcknowledgeLinks } from "../../channels/acknowledge-links.ts";
import type { AlertContext, Channel, Message } from "../../channels/channel.ts";
import type { PageLinks } from "../../channels/page-links.ts";
import type { RenderedMessage } from "../../store/tables/alerts.ts";
import type { DeliverableAlert } from "../rules/suppressions.ts";

/** Data of the installation used in messages. */
export interface MessageLinks {
  readonly acknowledgeLinks: Pick<AcknowledgeLinks, "linkOf">;
  readonly pageLinks: Pick<PageLinks, "linkOf">;
  /** Its public address. */
  readonly url: string;
}

export function alertContextOf(
  { alert, address, account, kind, unacknowledgedBy, diagnostics }: DeliverableAlert,
  { acknowledgeLinks, pageLinks, url }: MessageLinks,
): AlertContext {
  const { timeZone, branding } = account;
  const acknowledgeUrl =
    kind === "acknowledged" ? undefined : acknowledgeLinks.linkOf(alert, address);
  const common = { alert, to: address, kind, timeZone, branding, url };
  const pageUrl = pageLinks.linkOf(alert, address);
  return {
    ...common,
    ...(pageUrl !== undefined && { pageUrl }),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
    ...(unacknowledgedBy !== undefined && { unacknowledgedBy }),
    ...(diagnostics !== undefined && { diagnostics }),
  };
}

/** A message of one alert as it is stored. */
export function renderedMessageOf(
  alert: DeliverableAlert,
  message: Message,
  channel: Channel,
): RenderedMessage {
  const details = JSON.stringify({ ...message, subject: undefined, body: undefined });
  return { ...shownMessageOf(alert, message, channel), details };
}

/** Returns the message as shown to people who view an alert that was sent with others. */
export function shownMessageOf(
  { kind, address }: DeliverableAlert,
  { from, subject, body }: Message,
  channel: Channel,
): RenderedMessage {
  const network = address.kind;
  return { kind, to: address.address, from: from ?? channel.from, subject, body, network };
}

/** Returns the rendered message; undefined if it was shared with other alerts. */
export function storedMessageOf({ subject, body, details }: RenderedMessage): Message | undefined {
  return details === undefined ? undefined : { ...JSON.parse(details), subject, body };
}
