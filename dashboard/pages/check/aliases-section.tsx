import { Button, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { aliasesQuery } from "./check-queries.ts";
import { WideTable } from "./wide-table.tsx";

type Alias = components["schemas"]["HeartbeatAlias"];

/** The addresses that heartbeats had in another system; nothing where there are none. */
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
  const [ended, setEnded] = useState<Alias>();
  return (
    <>
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
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={text("imported.endOne", {
                      hint: visibleText(alias.hint),
                      system: alias.system,
                    })}
                    onClick={() => setEnded(alias)}
                  >
                    {text("imported.end")}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {ended !== undefined && <EndModal alias={ended} close={() => setEnded(undefined)} />}
    </>
  );
}

interface EndProps {
  readonly alias: Alias;
  readonly close: () => void;
}

function EndModal({ alias: { _id: alias, check, hint, system }, close }: EndProps): ReactElement {
  const text = useText();
  const ending = useChange({
    send: () =>
      dataOf(
        api.DELETE("/heartbeataliases/{id}", {
          params: { path: { id: check }, query: { alias } },
        }),
      ),
    refreshes: ["check"],
    done: text("imported.ended"),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("imported.endTitle")}
      close={close}
      act={() => ending.mutate(undefined)}
      isSending={ending.isPending}
      error={ending.error}
      actLabel={text("imported.end")}
    >
      <Text fw={600}>
        <ForeignText>{`${system}: ${hint}`}</ForeignText>
      </Text>
      <Text size="sm">{text("imported.endText")}</Text>
    </DeleteModal>
  );
}
