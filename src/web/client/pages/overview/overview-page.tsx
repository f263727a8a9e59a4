import { Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { ShownState } from "../../parts/state.ts";
import { useText } from "../../text.ts";

type Check = components["schemas"]["Check"];

const REFRESH_MS = 15_000;

/** How many checks are down, and the state of each. */
export function OverviewPage(): ReactElement {
  const text = useText();
  const checks = useQuery({
    queryKey: ["checks"],
    queryFn: async () => Object.values(await dataOf(api.GET("/checks"))),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageTitle title={text("overview.title")} />
      <Loaded query={checks}>{(all) => <CheckTable checks={all} />}</Loaded>
    </>
  );
}

function CheckTable({ checks }: { readonly checks: readonly Check[] }): ReactElement {
  const text = useText();
  const total = checks.length;
  const down = checks.filter((check) => stateOf(check) === "down").length;
  if (total === 0) return <Text>{text("overview.none")}</Text>;
  return (
    <>
      <Title order={2} size="h3" mb="md" c={down === 0 ? "var(--wp-up)" : "var(--wp-down)"}>
        {down === 0 ? text("overview.noneDown") : text("overview.someDown", { down, total })}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text("overview.state")}</Table.Th>
            <Table.Th>{text("overview.check")}</Table.Th>
            <Table.Th>{text("overview.type")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {checks.map((check) => (
            <Table.Tr key={check._id}>
              <Table.Td>
                <StateBadge state={stateOf(check)} />
              </Table.Td>
              <Table.Td>
                <ForeignText>{check.label}</ForeignText>
              </Table.Td>
              <Table.Td>{check.type}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function stateOf({ enable, state }: Check): ShownState {
  if (enable !== "active") return "paused";
  if (state === undefined) return "unknown";
  return state === 1 ? "up" : "down";
}
