import { Button, Code, Table, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { ForeignText } from "../../parts/foreign-text.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import type { Subscriber } from "./status-page.ts";

interface Props {
  readonly subscribers: readonly Subscriber[];
  readonly remove: (subscriber: Subscriber) => void;
}

/** Subscribers of a page, oldest first. */
export function SubscriberTable({ subscribers, remove }: Props): ReactElement {
  const text = useText();
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text("subscribers.address")}</Table.Th>
            <Table.Th>{text("subscribers.kind")}</Table.Th>
            <Table.Th>{text("subscribers.state")}</Table.Th>
            <Table.Th>{text("subscribers.since")}</Table.Th>
            <Table.Th>{text("subscribers.actions")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {subscribers.map((subscriber) => (
            <Table.Tr key={subscriber._id}>
              <Table.Td>
                <ForeignText>{subscriber.address}</ForeignText>
                {subscriber.secret !== undefined && (
                  <Text size="xs">
                    {text("subscribers.secret")} <Code>{subscriber.secret}</Code>
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{text(`subscribers.${subscriber.kind}`)}</Table.Td>
              <Table.Td>{text(`subscribers.${subscriber.state}`)}</Table.Td>
              <Table.Td>
                <Instant at={subscriber.confirmed ?? subscriber.created} />
              </Table.Td>
              <Table.Td>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={text("subscribers.deleteOne", {
                    address: visibleText(subscriber.address),
                  })}
                  onClick={() => remove(subscriber)}
                >
                  {text("common.delete")}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
