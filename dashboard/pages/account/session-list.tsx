import { Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useSession } from "../../shell/session.ts";
import { useText, type Text as Texts } from "../../text.ts";
import { agentNameOf } from "./agent-name.ts";

type Session = components["schemas"]["Session"];

/** One session, or all but that of this browser. */
type Ended = { readonly session: string } | { readonly others: true };

/** The browsers in which the reader is signed in, each to be ended. */
export function SessionList(): ReactElement {
  const text = useText();
  const { caller: customerid } = useSession();
  const sessions = useQuery({
    queryKey: ["sessions", customerid],
    queryFn: () => dataOf(api.GET("/sessions", { params: { query: { customerid } } })),
  });
  const end = useChange({
    send: (which: Ended) =>
      dataOf(api.DELETE("/sessions", { params: { query: { customerid, ...which } } })),
    refreshes: ["sessions"],
    done: text("account.ended"),
  });
  return (
    <Loaded query={sessions}>
      {(all) => (
        <>
          <Table.ScrollContainer
            minWidth={520}
            scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
          >
            <SessionTable sessions={all} end={(session) => end.mutate({ session })} />
          </Table.ScrollContainer>
          {all.length > 1 && (
            <Button
              variant="default"
              mt="sm"
              loading={end.isPending}
              onClick={() => end.mutate({ others: true })}
            >
              {text("account.endOthers")}
            </Button>
          )}
          {end.error !== null && (
            <Text role="alert" c="var(--wp-down)" mt="sm">
              {end.error.message}
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}

interface TableProps {
  readonly sessions: readonly Session[];
  readonly end: (handle: string) => void;
}

function SessionTable({ sessions, end }: TableProps): ReactElement {
  const text = useText();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text("account.browser")}</Table.Th>
          <Table.Th>{text("account.from")}</Table.Th>
          <Table.Th>{text("account.lastUsed")}</Table.Th>
          <Table.Th>{text("account.since")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map((session) => (
          <Table.Tr key={session.session}>
            <Table.Td>
              <ForeignText>{browserText(session, text)}</ForeignText>
            </Table.Td>
            <Table.Td>{session.from}</Table.Td>
            <Table.Td>
              <Instant at={session.used} />
            </Table.Td>
            <Table.Td>
              <Group justify="space-between" wrap="nowrap">
                <Instant at={session.created} />
                {session.current ? (
                  <Text size="sm" fw={600} c="var(--wp-up)">
                    {text("account.thisBrowser")}
                  </Text>
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={text("account.endOne", {
                      browser: browserText(session, text),
                      from: session.from,
                    })}
                    onClick={() => end(session.session)}
                  >
                    {text("account.end")}
                  </Button>
                )}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const MAX_AGENT_LENGTH = 40;

function browserText({ agent }: Session, text: Texts): string {
  const { browser, system } = agentNameOf(agent);
  if (browser === undefined)
    return agent === "" ? text("account.unknownBrowser") : agent.slice(0, MAX_AGENT_LENGTH);
  return system === undefined ? browser : text("account.browserOn", { browser, system });
}
