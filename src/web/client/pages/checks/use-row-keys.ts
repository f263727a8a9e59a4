import { useRef, useState } from "react";
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
  readonly focused: (index: number) => void;
  readonly keyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly click: (event: MouseEvent<HTMLElement>, index: number) => void;
}

const PAGE_ROWS = 10;
/** Frames in which a row is drawn that the window was scrolled to. */
const MOST_FRAMES = 20;

/** Arrows lead from row to row, Enter and a click open a check, the space bar selects it (ARIA Authoring Practices, grid). */
export function useRowKeys({ lines, scrollTo, toggle }: Rows): RowKeys {
  const [chosen, setChosen] = useState(0);
  // A key may be pressed again before the row is drawn that the last one led to.
  const current = useRef(0);
  const [, navigate] = useLocation();
  const last = lines.length - 1;
  const moveTo = (wanted: number, list: Element | null): void => {
    current.current = Math.max(0, Math.min(wanted, last));
    setChosen(current.current);
    scrollTo(current.current);
    const focus = (frames: number): void => {
      const row = list?.querySelector<HTMLElement>(`[data-line="${current.current}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (frames > 0) requestAnimationFrame(() => focus(frames - 1));
    };
    requestAnimationFrame(() => focus(MOST_FRAMES));
  };
  const idOf = (index: number): string | undefined => {
    const line = lines[index];
    return line?.kind === "check" ? line.status.id : undefined;
  };
  return {
    active: Math.min(chosen, Math.max(last, 0)),
    focused(index) {
      current.current = index;
      setChosen(index);
    },
    keyDown(event) {
      const index = current.current;
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
        event.target instanceof Element && event.target.closest("a, input, label") !== null;
      if (id !== undefined && !isOnControl) navigate(`/checks/${id}`);
    },
  };
}
