import { useState } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import { useLocation } from "wouter";

import type { Line } from "./list-view.ts";

interface Rows {
  readonly lines: readonly Line[];
  readonly scrollTo: (index: number) => void;
  readonly toggle: ((id: string) => void) | undefined;
}

interface RowKeys {
  /** The row that the tab key leads to. */
  readonly active: number;
  readonly keyDown: (event: KeyboardEvent<HTMLElement>, index: number) => void;
  readonly click: (event: MouseEvent<HTMLElement>, index: number) => void;
}

const PAGE_ROWS = 10;

/** Arrows lead from row to row, Enter and a click open a check, the space bar selects it (ARIA Authoring Practices, grid). */
export function useRowKeys({ lines, scrollTo, toggle }: Rows): RowKeys {
  const [chosen, setChosen] = useState(0);
  const [, navigate] = useLocation();
  const last = lines.length - 1;
  const active = Math.min(chosen, Math.max(last, 0));
  const moveTo = (wanted: number, list: Element | null): void => {
    const index = Math.max(0, Math.min(wanted, last));
    setChosen(index);
    scrollTo(index);
    // It is drawn once the window has scrolled.
    const focus = (tries: number): void => {
      const row = list?.querySelector<HTMLElement>(`[data-line="${index}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    requestAnimationFrame(() => focus(5));
  };
  const idOf = (index: number): string | undefined => {
    const line = lines[index];
    return line?.kind === "check" ? line.status.id : undefined;
  };
  return {
    active,
    keyDown(event, index) {
      const moves: Readonly<Record<string, number>> = {
        ArrowDown: index + 1,
        ArrowUp: index - 1,
        PageDown: index + PAGE_ROWS,
        PageUp: index - PAGE_ROWS,
        Home: 0,
        End: last,
      };
      const to = moves[event.key];
      const id = idOf(index);
      if (to !== undefined) moveTo(to, event.currentTarget.closest('[role="grid"]'));
      else if (event.target !== event.currentTarget) return;
      else if (event.key === "Enter" && id !== undefined) navigate(`/checks/${id}`);
      else if (event.key === " " && id !== undefined) toggle?.(id);
      else return;
      event.preventDefault();
    },
    click(event, index) {
      const id = idOf(index);
      const isOnControl =
        event.target instanceof Element && event.target.closest("a, input, label");
      if (id !== undefined && !isOnControl) navigate(`/checks/${id}`);
    },
  };
}
