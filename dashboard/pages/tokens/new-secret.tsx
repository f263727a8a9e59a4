import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { useText } from "../../text.ts";

interface Props {
  readonly secret: string;
  readonly close: () => void;
}

/** Shows a token this once: only who says so leaves. */
export function NewSecret({ secret, close }: Props): ReactElement {
  const text = useText();
  return (
    <Dialog
      opened
      onClose={close}
      title={text("tokens.secretTitle")}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text>{text("tokens.secretText")}</Text>
        <TextInput
          label={text("tokens.secret")}
          value={secret}
          readOnly
          data-autofocus
          ff="monospace"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          {/* Without TLS browsers give pages no clipboard. */}
          {window.isSecureContext && (
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {text(copied ? "common.copied" : "common.copy")}
                </Button>
              )}
            </CopyButton>
          )}
          <Button onClick={close}>{text("tokens.done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
