import { notifications } from "@mantine/notifications";
import { useCallback } from "react";

import { useText } from "../../text.ts";
import { visibleText } from "../visible-text.ts";

/** Kind of message: success, a warning about what will not work, or an error. */
export type Weight = "done" | "warning" | "error";

const colors = { done: "green", warning: "yellow", error: "red" } as const;

/** Tells the reader something that stays for a moment, or a warning until it is closed. */
export function useToast(): (message: string, weight?: Weight) => void {
  const text = useText();
  return useCallback(
    (message, weight = "done") => {
      notifications.show({
        color: colors[weight],
        message: visibleText(message),
        ...(weight === "warning" && { autoClose: false }),
        closeButtonProps: { "aria-label": text("common.close") },
      });
    },
    [text],
  );
}
