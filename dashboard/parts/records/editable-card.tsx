import { Button, Group, Stack, Title } from "@mantine/core";
import { useState, type ReactElement, type ReactNode } from "react";

import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { DeleteModal } from "./delete-modal.tsx";
import { RecordCard } from "./record-card.tsx";
import { useChange } from "./use-change.ts";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
  readonly remove: () => Promise<unknown>;
  /** The first word of the keys of what is to be loaded again after it was deleted. */
  readonly refreshes: string;
  /** What else its deletion changes. */
  readonly consequences: ReactNode;
  readonly form: (close: () => void) => ReactNode;
}

/** One record among others, which who may change it edits and deletes there. */
export function EditableCard({
  name,
  children,
  remove,
  refreshes,
  consequences,
  form,
}: Props): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = (): void => setDialog(undefined);
  const removal = useChange({
    send: remove,
    refreshes: [refreshes],
    done: text("records.deleted", { name }),
    onDone: close,
  });
  return (
    <RecordCard name={name}>
      <Stack gap="sm" h="100%">
        <Title order={2} size="h4">
          {name}
        </Title>
        {children}
        {mayChange && (
          <Group gap="xs" mt="auto">
            <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
              {text("common.edit")}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
              {text("common.delete")}
            </Button>
          </Group>
        )}
      </Stack>
      {dialog === "edit" && form(close)}
      {dialog === "delete" && (
        <DeleteModal
          title={text("records.deleteTitle", { name })}
          close={close}
          act={() => removal.mutate(undefined)}
          isSending={removal.isPending}
          error={removal.error}
        >
          {consequences}
        </DeleteModal>
      )}
    </RecordCard>
  );
}
