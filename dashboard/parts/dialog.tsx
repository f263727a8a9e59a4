import { Modal, type ModalProps } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../text.ts";
import { useQuestion } from "./draft/use-question.ts";
import { useFocusReturn } from "./use-focus-return.ts";

/** A dialog that returns the focus to what opened it, also where it is mounted open or was opened by a menu. */
export function Dialog(props: ModalProps): ReactElement {
  const text = useText();
  const isAsking = useQuestion() !== undefined;
  useFocusReturn(props.opened);
  return (
    <Modal
      returnFocus={false}
      // Escape is for the question above it.
      closeOnEscape={!isAsking}
      closeButtonProps={{ "aria-label": text("common.close") }}
      {...props}
    />
  );
}
