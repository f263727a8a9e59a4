import { Checkbox } from "@mantine/core";
import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  type KeyboardEvent,
} from "react";
import { useLocation } from "wouter";

import { useDurations } from "../../live/durations.ts";
import { useRowHistory } from "../../live/use-row-history.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { useText } from "../../text.ts";
import { CheckRow } from "./check-row.tsx";
import classes from "./check-list.module.css";
import type { Line } from "./list-view.ts";

/** As the style sheet has it. */
const LINE_HEIGHT = 52;
const BEYOND_THE_WINDOW = 8;

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
}

interface Props {
  readonly lines: readonly Line[];
  readonly now: number;
  readonly isStale: boolean;
  /** Undefined if nothing can be selected. */
  readonly selection: Selection | undefined;
  /** Called with the checks on the screen. */
  readonly seen: (ids: readonly string[]) => void;
}

/** List of any length, of which only the visible lines are rendered. */
export function CheckList({ lines, now, isStale, selection, seen }: Props): ReactElement {
  const text = useText();
  const durations = useDurations();
  const { place, top, virtualizer } = useLines(lines, isStale);
  const drawn = virtualizer.getVirtualItems();
  const histories = useRowHistory(useSeen(drawn, lines, seen));
  const { active, keyDown, click } = useRowKeys({
    lines,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    toggle: selection?.toggle,
  });
  const listId = useId();
  const isActiveDrawn = drawn.some(({ index }) => index === active);
  const looks = [
    classes.list,
    ...(selection === undefined ? [classes.withoutSelection] : []),
    ...(isStale ? [classes.stale] : []),
  ];
  return (
    <div
      role="grid"
      aria-label={text("checks.list")}
      aria-rowcount={lines.length + 1}
      aria-multiselectable={selection === undefined ? undefined : true}
      aria-activedescendant={isActiveDrawn ? `${listId}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={keyDown}
      className={looks.join(" ")}
    >
      <Head selection={selection} lines={lines} />
      <div
        ref={place}
        role="rowgroup"
        style={{ position: "relative", height: virtualizer.getTotalSize() }}
      >
        {drawn.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const isCheck = line.kind === "check";
          const isSelected = isCheck ? selection?.ids.has(line.status.id) : undefined;
          return (
            <LineRow
              key={key}
              id={`${listId}-${index}`}
              index={index}
              isTag={!isCheck}
              isActive={index === active}
              isSelected={isSelected}
              offset={start - top}
              click={click}
            >
              {isCheck ? (
                <CheckRow
                  status={line.status}
                  now={now}
                  durations={durations}
                  history={histories.get(line.status.id)}
                  isSelected={isSelected}
                  toggle={selection?.toggle ?? doNothing}
                />
              ) : (
                <TagCell {...line} />
              )}
            </LineRow>
          );
        })}
      </div>
    </div>
  );
}

function doNothing(): void {}

interface Lines {
  readonly place: RefObject<HTMLDivElement | null>;
  /** How far the list is from the top of the page. */
  readonly top: number;
  readonly virtualizer: Virtualizer<Window, Element>;
}

/** The list is as long as the page, which scrolls as a whole. */
function useLines(lines: readonly Line[], isStale: boolean): Lines {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(place.current?.offsetTop ?? 0), [lines.length, isStale]);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => LINE_HEIGHT,
    overscan: BEYOND_THE_WINDOW,
    scrollMargin: top,
    getItemKey: (index) => lines[index]?.key ?? index,
  });
  return { place, top, virtualizer };
}

/** The checks that are drawn; the same list for as long as they are the same. */
function useSeen(
  drawn: readonly { readonly index: number }[],
  lines: readonly Line[],
  seen: Props["seen"],
): readonly string[] {
  const ids = drawn.flatMap(({ index }) => {
    const line = lines[index];
    return line?.kind === "check" ? [line.status.id] : [];
  });
  const joined = [...new Set(ids)].join(",");
  const list = useMemo(() => (joined === "" ? [] : joined.split(",")), [joined]);
  useLayoutEffect(() => seen(list), [list, seen]);
  return list;
}

interface LineRowProps {
  readonly id: string;
  readonly index: number;
  readonly isTag: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean | undefined;
  readonly offset: number;
  readonly click: (event: MouseEvent<HTMLElement>, index: number) => void;
  readonly children: ReactElement;
}

/** A line at its place; the keys of the list are about it while it is active. */
function LineRow(props: LineRowProps): ReactElement {
  const { id, index, isTag, isActive, isSelected, offset, click, children } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus, and takes the keys
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive}
      className={`${classes.line} ${isTag ? classes.tag : classes.row}`}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={(event) => click(event, index)}
    >
      {children}
    </div>
  );
}

function TagCell({ tag, count }: { readonly tag: string; readonly count: number }): ReactElement {
  const text = useText();
  return (
    <div role="gridcell">
      {tag === "" ? text("checks.untagged") : <ForeignText>{tag}</ForeignText>} ({count})
    </div>
  );
}

function Head({ selection, lines }: Pick<Props, "selection" | "lines">): ReactElement {
  const text = useText();
  const checks = lines.filter((line) => line.kind === "check").length;
  const headings = [
    [text("checks.state"), ""],
    [text("checks.check"), ""],
    [text("checks.days"), classes.chart],
    [text("checks.hours"), classes.chart],
    [text("checks.since"), `${classes.number} ${classes.wide}`],
    [text("checks.runTime"), `${classes.number} ${classes.wide}`],
    [text("checks.lastRun"), `${classes.number} ${classes.wide}`],
  ] as const;
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={classes.head}>
        {selection !== undefined && (
          <div role="columnheader" aria-label={text("checks.selectAll")}>
            <Checkbox
              aria-label={text("checks.selectAll")}
              checked={selection.ids.size > 0 && selection.ids.size >= checks}
              indeterminate={selection.ids.size > 0 && selection.ids.size < checks}
              onChange={selection.toggleAll}
            />
          </div>
        )}
        {headings.map(([heading, looks]) => (
          <div key={heading} role="columnheader" className={looks}>
            {heading}
          </div>
        ))}
      </div>
    </div>
  );
}

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
function useRowKeys({ lines, scrollTo, toggle }: Rows): RowKeys {
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
