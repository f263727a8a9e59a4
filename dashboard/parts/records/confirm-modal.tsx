import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";
import { useChange } from "./use-change.ts";

interface ConfirmModalProps {
  readonly title: string;
  readonly close: () => void;
  readonly send: () => Promise<unknown>;
  /** First words of the keys of what is to be loaded again. */
  readonly refreshes: readonly string[];
  /** Message after success. */
  readonly done?: string;
  /** Whether to send it; if not, the question stays. */
  readonly maySend?: () => boolean;
  readonly actLabel?: string;
  /** Further consequences. */
  readonly children: ReactNode;
}

/** Asks before something is done that cannot be undone, and does it. */
export function ConfirmModal(props: ConfirmModalProps): ReactElement {
  const { title, close, send, refreshes, done, maySend, actLabel, children } = props;
  const text = useText();
  const change = useChange({
    send,
    refreshes,
    ...(done !== undefined && { done }),
    onDone: close,
  });
  return (
    <Dialog opened onClose={close} title={title}>
      <Stack>
        {children}
        {change.error !== null && (
          <Alert color="red" variant="outline" role="alert">
            <Text c="inherit">{visibleText(change.error.message)}</Text>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {text("common.cancel")}
          </Button>
          <Button
            color="red.9"
            autoContrast={false}
            c="white"
            loading={change.isPending}
            onClick={() => {
              if (maySend?.() !== false) change.mutate(undefined);
            }}
          >
            {actLabel ?? text("common.delete")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface DeleteModalProps extends Pick<
  ConfirmModalProps,
  "close" | "send" | "refreshes" | "maySend" | "children"
> {
  readonly name: string;
}

/** Asks before a record is deleted, and deletes it. */
export function DeleteModal({ name, ...confirmed }: DeleteModalProps): ReactElement {
  const text = useText();
  return (
    <ConfirmModal
      title={text("records.deleteTitle", { name })}
      done={text("records.deleted", { name })}
      {...confirmed}
    />
  );
}
