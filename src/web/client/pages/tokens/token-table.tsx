import { Button, Code, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

export type Token = components["schemas"]["Token"];

/** The newest first, each to be revoked. */
export function TokenTable({ tokens }: { readonly tokens: readonly Token[] }): ReactElement {
  const text = useText();
  const [revoked, setRevoked] = useState<Token>();
  const isLast = tokens.length === 1;
  return (
    <>
      <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text("tokens.label")}</Table.Th>
              <Table.Th>{text("tokens.access")}</Table.Th>
              <Table.Th>{text("tokens.used")}</Table.Th>
              <Table.Th>{text("tokens.created")}</Table.Th>
              <Table.Th>{text("tokens.ends")}</Table.Th>
              <Table.Th>{text("tokens.actions")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens
              .toSorted((one, other) => other.created - one.created)
              .map((token) => (
                <TokenRow key={token._id} token={token} revoke={() => setRevoked(token)} />
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {revoked !== undefined && (
        <RevokeModal token={revoked} isLast={isLast} close={() => setRevoked(undefined)} />
      )}
    </>
  );
}

function TokenRow({
  token,
  revoke,
}: {
  readonly token: Token;
  readonly revoke: () => void;
}): ReactElement {
  const text = useText();
  const { _id: handle, label, access, used, created, expires } = token;
  return (
    <Table.Tr>
      <Table.Td>
        <ForeignText>{label}</ForeignText>
        <Text size="xs" c="dimmed">
          {text("tokens.handle")} {handle}
        </Text>
      </Table.Td>
      <Table.Td>{text(`tokens.${access}`)}</Table.Td>
      <Table.Td>{used === false ? text("tokens.notUsed") : <Instant at={used} />}</Table.Td>
      <Table.Td>
        <Instant at={created} />
      </Table.Td>
      <Table.Td>{expires === false ? text("tokens.never") : <Instant at={expires} />}</Table.Td>
      <Table.Td>
        <Button
          size="xs"
          variant="default"
          aria-label={text("tokens.revokeOne", { label: visibleText(label) })}
          onClick={revoke}
        >
          {text("tokens.revoke")}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

interface RevokeProps {
  readonly token: Token;
  /** The last of an account needs to be meant. */
  readonly isLast: boolean;
  readonly close: () => void;
}

function RevokeModal({ token, isLast, close }: RevokeProps): ReactElement {
  const text = useText();
  const { _id: id, label } = token;
  const revocation = useChange({
    send: () =>
      dataOf(
        api.DELETE("/tokens/{id}", {
          params: { path: { id }, ...(isLast && { query: { force: true as const } }) },
        }),
      ),
    refreshes: ["tokens"],
    done: text("tokens.revoked"),
    onDone: close,
  });
  return (
    <DeleteModal
      title={text("tokens.revokeTitle")}
      close={close}
      act={() => revocation.mutate(undefined)}
      isSending={revocation.isPending}
      error={revocation.error}
      actLabel={text("tokens.revoke")}
    >
      <Text>
        <Code>{id}</Code> <ForeignText>{label}</ForeignText>
      </Text>
      <Text>{text("tokens.revokeText")}</Text>
    </DeleteModal>
  );
}
