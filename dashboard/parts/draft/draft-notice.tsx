import { Alert, Button, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";

interface Props {
  readonly draft: {
    readonly isRestored: boolean;
    readonly isPartial: boolean;
    readonly clear: () => void;
  };
}

/** Says that a form shows changes of earlier, and discards them. */
export function DraftNotice({
  draft: { isRestored, isPartial, clear },
}: Props): ReactElement | null {
  const text = useText();
  if (!isRestored) return null;
  return (
    <Alert variant="outline" role="status">
      <Group justify="space-between" gap="xs">
        <Text c="inherit" size="sm" flex="1 1 14rem">
          {text("forms.restored")}
          {isPartial && ` ${text("forms.secretsNotKept")}`}
        </Text>
        <Button
          variant="default"
          size="xs"
          onClick={(event) => {
            // The button is gone then.
            event.currentTarget
              .closest("form")
              ?.querySelector<HTMLElement>("input, textarea, select")
              ?.focus();
            clear();
          }}
        >
          {text("forms.discardDraft")}
        </Button>
      </Group>
    </Alert>
  );
}
