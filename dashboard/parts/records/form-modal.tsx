import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { DraftNotice } from "../draft/draft-notice.tsx";
import type { Draft } from "../draft/use-draft.ts";
import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";
import type { Refusal } from "./refusal.ts";
import { useFocusOnProblem } from "./use-focus-on-problem.ts";

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly submit: () => void;
  readonly draft: Pick<Draft<object>, "isRestored" | "isPartial" | "clear" | "leave">;
  readonly isSending: boolean;
  readonly refusal: Refusal | undefined;
  /** The parameters that have a field: what is refused of others is said above the buttons. */
  readonly fields: readonly string[];
  readonly submitLabel?: string;
  readonly size?: string;
  /** Another button beside the one that saves. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A form in a dialog. */
export function FormModal(props: Props): ReactElement {
  const text = useText();
  const { title, close, submit, isSending, refusal, fields, submitLabel, size, children } = props;
  const { draft } = props;
  const leave = (): void => draft.leave(close);
  const form = useFocusOnProblem(isSending, refusal !== undefined);
  const isShownBeside = fields.some(
    (name) => refusal?.field === name || refusal?.field?.startsWith(`${name}.`),
  );
  return (
    <Dialog
      opened
      onClose={leave}
      title={title}
      size={size ?? "lg"}
      // A click beside it would lose what was entered.
      closeOnClickOutside={false}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <DraftNotice draft={draft} />
          {children}
          {refusal !== undefined && !isShownBeside && (
            <Alert color="red" variant="outline" role="alert">
              {visibleText(
                refusal.field === undefined
                  ? refusal.sentence
                  : `${refusal.field}: ${refusal.sentence}`,
              )}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {text("common.cancel")}
            </Button>
            {props.action}
            <Button type="submit" loading={isSending}>
              {submitLabel ?? text("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
