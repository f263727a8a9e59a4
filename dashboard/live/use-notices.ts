import { notifications } from "@mantine/notifications";
import { useMemo } from "react";

import { visibleText } from "../parts/visible-text.ts";
import { useText } from "../text.ts";

/** Says in a corner of the page how something ended that was asked for. */
export interface Notices {
  readonly done: (message: string) => void;
  readonly failed: (error: Error) => void;
}

export function useNotices(): Notices {
  const text = useText();
  return useMemo(() => {
    const closeButtonProps = { "aria-label": text("common.close") };
    return {
      done: (message) => void notifications.show({ message, role: "status", closeButtonProps }),
      failed: ({ message }) =>
        void notifications.show({
          color: "red",
          role: "alert",
          message: visibleText(message),
          closeButtonProps,
        }),
    };
  }, [text]);
}
