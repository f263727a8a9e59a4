import { Button, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";

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
export function TokenList({ tokens }: { readonly tokens: readonly Token[] }): ReactElement {
  const text = useText();
  const [revoked, setRevoked] = useState<Token>();
  const isLast = tokens.length === 1;
  return (
    <>
      <Stack gap="xs" role="list" aria-label={text("tokens.title")}>
        {tokens
          .toSorted((one, other) => other.created - one.created)
          .map((token) => (
            <TokenItem key={token._id} token={token} revoke={() => setRevoked(token)} />
          ))}
      </Stack>
      {revoked !== undefined && (
        <RevokeModal token={revoked} isLast={isLast} close={() => setRevoked(undefined)} />
      )}
    </>
  );
}

interface ItemProps {
  readonly token: Token;
  readonly revoke: () => void;
}

function TokenItem({ token, revoke }: ItemProps): ReactElement {
  const text = useText();
  const { _id: handle, label, access, used, created, expires } = token;
  const facts = [
    { name: text("tokens.used"), at: used, otherwise: text("tokens.notUsed") },
    { name: text("tokens.created"), at: created, otherwise: "" },
    { name: text("tokens.ends"), at: expires, otherwise: text("tokens.never") },
  ];
  return (
    <Paper withBorder px="md" py="xs" role="listitem">
      <Group justify="space-between" gap="xs">
        <Stack gap={4}>
          <Text fw={600}>
            <ForeignText>{label}</ForeignText>
          </Text>
          <Text size="sm">
            {text(`tokens.${access}`)} · {text("tokens.handle")} {handle}
          </Text>
          <Group gap="4px 16px">
            {facts.map(({ name, at, otherwise }) => (
              <Text key={name} size="sm" c="dimmed">
                {name}: {at === false ? otherwise : <Instant at={at} />}
              </Text>
            ))}
          </Group>
        </Stack>
        <Button
          size="xs"
          variant="default"
          aria-label={text("tokens.revokeOne", { label: visibleText(label) })}
          onClick={revoke}
        >
          {text("tokens.revoke")}
        </Button>
      </Group>
    </Paper>
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
