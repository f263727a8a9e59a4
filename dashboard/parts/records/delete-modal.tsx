import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly act: () => void;
  readonly isSending: boolean;
  readonly error: Error | null;
  /** What else it changes. */
  readonly children: ReactNode;
  readonly actLabel?: string;
}

/** Asks before something is done that cannot be undone. */
export function DeleteModal(props: Props): ReactElement {
  const text = useText();
  const { title, close, act, isSending, error, children, actLabel } = props;
  return (
    <Dialog opened onClose={close} title={title}>
      <Stack>
        {children}
        {error !== null && (
          <Alert color="red" variant="outline" role="alert">
            <Text c="inherit">{visibleText(error.message)}</Text>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {text("common.cancel")}
          </Button>
          <Button color="red.9" autoContrast={false} c="white" loading={isSending} onClick={act}>
            {actLabel ?? text("common.delete")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
