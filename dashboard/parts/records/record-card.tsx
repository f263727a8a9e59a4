import { Group, Paper, Stack, Title } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { useMay } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { DeleteModal } from "./confirm-modal.tsx";
import { DialogButton } from "./dialog-button.tsx";

interface CardProps {
  /** Name of the record. */
  readonly name: string;
  /** Stands above the name. */
  readonly above?: ReactNode;
  /** Stands at the end of the line of the name. */
  readonly beside?: ReactNode;
  /** The level of its heading. */
  readonly order?: 2 | 3;
  readonly gap?: "xs" | "sm";
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** One record among others, with what can be done with it; long words in it break anywhere, so that it is as narrow as a telephone. */
export function RecordCard(props: CardProps): ReactElement {
  const { name, above, beside, order = 2, gap = "sm", children, actions } = props;
  const title = (
    <Title order={order} size="h4">
      {name}
    </Title>
  );
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={name}
      style={{ overflowWrap: "anywhere" }}
    >
      <Stack gap={gap} h="100%">
        {above}
        {beside === undefined ? (
          title
        ) : (
          <Group justify="space-between" gap="xs">
            {title}
            {beside}
          </Group>
        )}
        {children}
        {actions !== false && (
          <Group gap="xs" mt="auto">
            {actions}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

interface Editable {
  readonly name: string;
  readonly form: (close: () => void) => ReactNode;
  readonly remove: () => Promise<unknown>;
  /** First words of the keys of what is to be loaded again after it was deleted. */
  readonly refreshes: readonly string[];
  /** Further consequences of its deletion. */
  readonly consequences: ReactNode;
}

interface ActionsProps extends Editable {
  /** Stand between the two buttons. */
  readonly children?: ReactNode;
}

/** The buttons that edit and delete a record. */
export function RecordActions(props: ActionsProps): ReactElement {
  const { name, form, remove, refreshes, consequences, children } = props;
  const text = useText();
  return (
    <>
      <DialogButton label={text("common.edit")}>{form}</DialogButton>
      {children}
      <DialogButton label={text("common.delete")}>
        {(close) => (
          <DeleteModal name={name} close={close} send={remove} refreshes={refreshes}>
            {consequences}
          </DeleteModal>
        )}
      </DialogButton>
    </>
  );
}

/** One record among others, which who may change it edits and deletes there. */
export function EditableCard({
  children,
  ...editable
}: Editable & { readonly children: ReactNode }): ReactElement {
  const mayChange = useMay("edit");
  return (
    <RecordCard name={editable.name} actions={mayChange && <RecordActions {...editable} />}>
      {children}
    </RecordCard>
  );
}
