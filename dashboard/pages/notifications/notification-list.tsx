import { Box, Code, Group, List, Stack, Text } from "@mantine/core";
import {
  CheckCircleFillIcon,
  CircleSlashIcon,
  ClockIcon,
  HourglassIcon,
  XCircleFillIcon,
  type Icon,
} from "@primer/octicons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactElement } from "react";

import { Instant } from "../../parts/records/instant.tsx";
import { useRecipientNames, useRecipients } from "../../parts/records/use-recipients.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { receiverText } from "../contacts/contact.ts";
import { type Notification, reasonOf } from "./notification.ts";

const USUAL_HEIGHT = 92;
const OVERSCAN = 8;

/** The log: of a long one only what is near the window is drawn. */
export function NotificationList({ all }: { readonly all: readonly Notification[] }): ReactElement {
  const text = useText();
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => USUAL_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => all[index]?._id ?? index,
  });
  return (
    <ul
      ref={list}
      aria-label={text("notifications.title")}
      style={{
        position: "relative",
        height: rows.getTotalSize(),
        margin: 0,
        padding: 0,
        listStyle: "none",
      }}
    >
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const notification = all[index];
        if (notification === undefined) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={all.length}
            aria-posinset={index + 1}
            style={{
              position: "absolute",
              top: 0,
              left: 0,
              width: "100%",
              transform: `translateY(${start - rows.options.scrollMargin}px)`,
            }}
          >
            <NotificationItem notification={notification} />
          </li>
        );
      })}
    </ul>
  );
}

type Status = Notification["status"];

const looks: Readonly<Record<Status, { readonly icon: Icon; readonly color: string }>> = {
  delivered: { icon: CheckCircleFillIcon, color: "var(--wp-up)" },
  failed: { icon: XCircleFillIcon, color: "var(--wp-down)" },
  waiting: { icon: ClockIcon, color: "var(--wp-partly)" },
  held: { icon: HourglassIcon, color: "var(--wp-partly)" },
  dropped: { icon: CircleSlashIcon, color: "var(--wp-unknown)" },
};

/** One alert: what, to whom, when, and what became of it, with its attempts behind a click. */
function NotificationItem({ notification }: { readonly notification: Notification }): ReactElement {
  const text = useText();
  const { type, status, at, network, service, next } = notification;
  const { icon: StatusIcon, color } = looks[status];
  return (
    <Box py="sm" style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text size="sm" fw={600}>
          {text(`notifications.type.${type}`)}: {visibleText(notification.checkName)}
        </Text>
        <Text size="sm" c="dimmed">
          <Instant at={at} />
        </Text>
      </Group>
      <Text size="sm">
        {text("notifications.to", { name: useRecipientOf(notification) })}
        {network !== "" && ` (${receiverText({ kind: network, service }, text)})`}
      </Text>
      <Group gap={6} wrap="nowrap" align="flex-start" c={color}>
        <StatusIcon size={14} />
        <Text size="sm" c="inherit">
          {text(`notifications.status.${status}`)}
          <Reason notification={notification} />
          {next !== undefined && (
            <>
              , {text("notifications.next")} <Instant at={next} />
            </>
          )}
        </Text>
      </Group>
      <Attempts notification={notification} />
    </Box>
  );
}

function useRecipientOf({ to, service, contact_id, address_id }: Notification): string {
  const { contacts } = useRecipients();
  const nameOf = useRecipientNames();
  const name = nameOf(contact_id);
  // The address of a service is a credential.
  if (service !== undefined) return name;
  if (contacts.some(({ id }) => id === address_id)) return nameOf(address_id);
  return to === "" ? name : `${name} (${visibleText(to)})`;
}

function Reason({ notification }: { readonly notification: Notification }): ReactElement | null {
  const text = useText();
  const { reason = "" } = notification;
  const known = reasonOf(notification);
  if (reason === "") return null;
  return <>: {known === undefined ? visibleText(reason) : text(known)}</>;
}

function Attempts({ notification }: { readonly notification: Notification }): ReactElement | null {
  const text = useText();
  const { deliveries = [], subject, body } = notification;
  if (deliveries.length === 0 && body === "") return null;
  return (
    <details>
      <Text component="summary" size="sm">
        {text("notifications.attempts", { count: deliveries.length })}
      </Text>
      <Stack gap="xs" mt="xs">
        <List size="sm" type="ordered">
          {deliveries.map(({ attempt, end, accepted, response }) => (
            <List.Item key={attempt}>
              <Instant at={end} />{" "}
              {text(accepted ? "notifications.accepted" : "notifications.notAccepted")}:{" "}
              {visibleText(response)}
            </List.Item>
          ))}
        </List>
        {body !== "" && (
          <Code block tabIndex={0}>
            {visibleText(subject === "" ? body : `${subject}\n\n${body}`)}
          </Code>
        )}
      </Stack>
    </details>
  );
}
