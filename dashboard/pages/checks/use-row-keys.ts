import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useLocation } from "wouter";

import type { Line } from "./list-view.ts";

interface Rows {
  readonly lines: readonly Line[];
  readonly scrollTo: (index: number) => void;
  readonly toggle: ((id: string) => void) | undefined;
}

interface RowKeys {
  /** The row that keys are about while the list has the focus: rows come and go, and would lose it. */
  readonly active: number;
  readonly keyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly click: (event: MouseEvent<HTMLElement>, index: number) => void;
}

const PAGE_ROWS = 10;

/** Arrows lead from row to row, Enter and a click open a check, the space bar selects it (ARIA Authoring Practices, grid). */
export function useRowKeys({ lines, scrollTo, toggle }: Rows): RowKeys {
  const [chosen, setChosen] = useState(0);
  // A key may be pressed again before the row is drawn that the last one led to.
  const current = useRef(0);
  const [, navigate] = useLocation();
  const last = Math.max(lines.length - 1, 0);
  const moveTo = (wanted: number): void => {
    current.current = Math.max(0, Math.min(wanted, last));
    setChosen(current.current);
    scrollTo(current.current);
  };
  const idOf = (index: number): string | undefined => {
    const line = lines[index];
    return line?.kind === "check" ? line.status.id : undefined;
  };
  return {
    active: Math.min(chosen, last),
    keyDown(event) {
      const index = Math.min(current.current, last);
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
      if (to !== undefined) moveTo(to);
      else if (event.target !== event.currentTarget) return;
      else if (event.key === "Enter" && id !== undefined) navigate(`/checks/${id}`);
      else if (event.key === " " && id !== undefined) toggle?.(id);
      else return;
      event.preventDefault();
    },
    click(event, index) {
      current.current = index;
      setChosen(index);
      const id = idOf(index);
      const isOnControl =
        event.target instanceof Element && event.target.closest("a, input, label") !== null;
      if (id !== undefined && !isOnControl) navigate(`/checks/${id}`);
    },
  };
}
