import { useEffect, useRef, type RefObject } from "react";

const WRONG = '[aria-invalid="true"], .mantine-InputWrapper-error';

/** Leads to the first field that was refused, which may be out of sight of the button that sent the form. */
export function useFocusOnProblem(
  isSending: boolean,
  hasProblem: boolean,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isSending || !hasProblem) return;
    const wrong = form.current?.querySelector<HTMLElement>(WRONG);
    wrong?.focus({ preventScroll: true });
    wrong?.scrollIntoView({ block: "center" });
  }, [isSending, hasProblem]);
  return form;
}
