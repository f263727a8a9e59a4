import { Modal, type ModalProps } from "@mantine/core";
import { type ReactElement, useLayoutEffect, useMemo } from "react";

import { useText } from "../text.ts";
import { useQuestion } from "./draft/use-question.ts";

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

/** The library that holds the focus in a dialog moves it in a task of its own. */
const RETURN_AFTER_MS = 10;

interface Return {
  /** Elements that may get the focus, of which the first existing one does. */
  readonly openers: readonly HTMLElement[];
  readonly timer: number;
}

/** The return of the focus from a dialog that was just closed: another that opens in its place takes it over. */
let pending: Return | undefined;

/** Returns the focus to what opened a dialog once that is closed, whether it is closed or removed. The content of the page gets it where the opener is gone. */
function useFocusReturn(isOpen: boolean): void {
  // Read while it is rendered, because the item of a menu is gone, and a field with `autoFocus` has the focus, once it is drawn.
  const opener = useMemo(() => (isOpen ? openerFor(document.activeElement) : undefined), [isOpen]);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const own = opener === undefined ? [] : [opener];
    const first = pending === undefined ? own : pending.openers;
    clearTimeout(pending?.timer);
    pending = undefined;
    return () => {
      const last = document.activeElement;
      // One that was above it was closed with it.
      const openers = [...(pending?.openers ?? []), ...first];
      clearTimeout(pending?.timer);
      const timer = window.setTimeout(() => {
        pending = undefined;
        const active = document.activeElement;
        // Something else has it by now.
        if (active !== null && active !== document.body && active !== last) return;
        focusOn(openers);
      }, RETURN_AFTER_MS);
      pending = { openers, timer };
    };
  }, [isOpen, opener]);
}

/** The button of the menu for an item of a menu, because the item is gone once it is chosen. */
function openerFor(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? "";
  const opener = document.getElementById(menu) ?? active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined;
}

function focusOn(openers: readonly HTMLElement[]): void {
  for (const opener of openers) {
    opener.focus({ preventScroll: true });
    if (document.activeElement === opener) return;
  }
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}
