import { Code, Group, Paper, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";

export type Token = components["schemas"]["Token"];

/** The newest first, each to be revoked. */
export function TokenList({ tokens }: { readonly tokens: readonly Token[] }): ReactElement {
  const text = useText();
  const isLast = tokens.length === 1;
  return (
    <Stack gap="xs" role="list" aria-label={text("tokens.title")}>
      {tokens
        .toSorted((one, other) => other.created - one.created)
        .map((token) => (
          <TokenItem key={token._id} token={token} isLast={isLast} />
        ))}
    </Stack>
  );
}

interface ItemProps {
  readonly token: Token;
  /** The last of an account needs to be meant. */
  readonly isLast: boolean;
}

function TokenItem({ token, isLast }: ItemProps): ReactElement {
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
        <DialogButton
          label={text("tokens.revoke")}
          aria-label={text("tokens.revokeOne", { label: visibleText(label) })}
        >
          {(close) => <RevokeModal token={token} isLast={isLast} close={close} />}
        </DialogButton>
      </Group>
    </Paper>
  );
}

function RevokeModal({
  token: { _id: id, label },
  isLast,
  close,
}: ItemProps & { readonly close: () => void }): ReactElement {
  const text = useText();
  const query = isLast && { query: { force: true as const } };
  return (
    <ConfirmModal
      title={text("tokens.revokeTitle")}
      close={close}
      send={() => dataOf(api.DELETE("/tokens/{id}", { params: { path: { id }, ...query } }))}
      refreshes={["tokens"]}
      done={text("tokens.revoked")}
      actLabel={text("tokens.revoke")}
    >
      <Text>
        <Code>{id}</Code> <ForeignText>{label}</ForeignText>
      </Text>
      <Text>{text("tokens.revokeText")}</Text>
    </ConfirmModal>
  );
}
