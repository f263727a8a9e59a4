import { Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { aliasesQuery } from "./check-queries.ts";
import { WideTable } from "./wide-table.tsx";

type Alias = components["schemas"]["HeartbeatAlias"];

/** Heartbeat addresses from another system; nothing if there are none. */
export function AliasesSection({ id }: { readonly id: string }): ReactElement {
  const text = useText();
  const aliases = useQuery(aliasesQuery(id));
  return (
    <Loaded query={aliases}>
      {(found) =>
        found.length === 0 ? null : (
          <section aria-labelledby="aliases-title">
            <Title order={2} size="h3" mb="sm" id="aliases-title">
              {text("imported.aliases")}
            </Title>
            <Text size="sm" mb="sm">
              {text("imported.aliasesText")}
            </Text>
            <AliasTable aliases={found} />
          </section>
        )
      }
    </Loaded>
  );
}

function AliasTable({ aliases }: { readonly aliases: readonly Alias[] }): ReactElement {
  const text = useText();
  const mayEdit = useMay("edit");
  return (
    <WideTable label={text("imported.aliasTable")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{text("imported.system")}</Table.Th>
          <Table.Th scope="col">{text("imported.hint")}</Table.Th>
          <Table.Th scope="col">{text("imported.since")}</Table.Th>
          {mayEdit && <Table.Th scope="col">{text("imported.actions")}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {aliases.map((alias) => (
          <Table.Tr key={alias._id}>
            <Table.Td>{alias.system}</Table.Td>
            <Table.Td>
              <ForeignText>{alias.hint}</ForeignText>
            </Table.Td>
            <Table.Td>
              <Instant at={alias.created} />
            </Table.Td>
            {mayEdit && (
              <Table.Td>
                <EndButton alias={alias} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function EndButton({ alias }: { readonly alias: Alias }): ReactElement {
  const text = useText();
  const { _id: id, check, hint, system } = alias;
  const params = { path: { id: check }, query: { alias: id } };
  return (
    <DialogButton
      label={text("imported.end")}
      aria-label={text("imported.endOne", { hint: visibleText(hint), system })}
    >
      {(close) => (
        <ConfirmModal
          title={text("imported.endTitle")}
          close={close}
          send={() => dataOf(api.DELETE("/heartbeataliases/{id}", { params }))}
          refreshes={["check"]}
          done={text("imported.ended")}
          actLabel={text("imported.end")}
        >
          <Text fw={600}>
            <ForeignText>{`${system}: ${hint}`}</ForeignText>
          </Text>
          <Text size="sm">{text("imported.endText")}</Text>
        </ConfirmModal>
      )}
    </DialogButton>
  );
}
