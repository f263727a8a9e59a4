import { Table, Text } from "@mantine/core";
import type { ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useText } from "../../text.ts";
import { operationText } from "./operation-text.ts";

type Entry = components["schemas"]["AuditEntry"];

/** One row for each change. */
export function AuditTable({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  const text = useText();
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text("audit.when")}</Table.Th>
            <Table.Th>{text("audit.who")}</Table.Th>
            <Table.Th>{text("audit.what")}</Table.Th>
            <Table.Th>{text("audit.fields")}</Table.Th>
            <Table.Th>{text("audit.from")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.number}>
              <Table.Td>
                <Instant at={entry.at} />
              </Table.Td>
              <Table.Td>
                <ForeignText>{entry.name}</ForeignText>
                <Text size="xs" c="dimmed">
                  {text(`audit.${entry.by}`)}
                </Text>
              </Table.Td>
              <Table.Td>
                {operationText(entry.operation, text)}
                {entry.record !== undefined && (
                  <Text size="xs" c="dimmed">
                    {entry.record}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{entry.fields.join(", ")}</Table.Td>
              <Table.Td>{entry.from}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
