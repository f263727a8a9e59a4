import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import { Dialog } from "../dialog.tsx";
import { discard, keepEditing } from "./leaving.ts";
import { useQuestion } from "./use-question.ts";

/** Above menus, which stay open where they asked. */
const LAYER = 400;

/** Asks before changes are lost. */
export function DiscardQuestion(): ReactElement | null {
  const text = useText();
  const question = useQuestion();
  if (question === undefined) return null;
  return (
    <Dialog
      opened
      onClose={keepEditing}
      title={text("forms.discardTitle")}
      closeOnEscape
      zIndex={LAYER}
    >
      <Stack>
        <Text>{text("forms.unsaved")}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={keepEditing} data-autofocus>
            {text("forms.keepEditing")}
          </Button>
          <Button
            color="red.9"
            autoContrast={false}
            c="white"
            onClick={() => {
              discard(question.about);
              keepEditing();
              question.proceed();
            }}
          >
            {text("forms.discard")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
