import { useRef, type KeyboardEvent, type PointerEvent, type ReactElement } from "react";

import { useLocale, useText } from "../../text.ts";
import {
  coverage,
  DAY,
  dayLabel,
  dayNames,
  painted,
  timeText,
  type DayName,
  type Span,
  type Week,
} from "./week.ts";
import classes from "./week-grid.module.css";

interface Props {
  readonly week: Week;
  readonly paint: (week: Week) => void;
}

const STEP = 30;
const CELLS = DAY / STEP;
const cells = Array.from({ length: CELLS }, (_, index) => index);
const hours = [0, 6, 12, 18];

/** A week that is painted: with the mouse or a finger, or with the arrow keys, where shift paints along. */
export function WeekGrid({ week, paint }: Props): ReactElement {
  const text = useText();
  const locale = useLocale();
  const grid = useRef<HTMLDivElement>(null);
  /** Whether the current stroke adds; undefined if there is none. */
  const stroke = useRef<boolean>(undefined);

  const set = (cell: Cell, isOn: boolean): void =>
    paint({ ...week, [cell.day]: painted(week[cell.day], spanOf(cell.index), isOn) });
  const onPointerDown = (event: PointerEvent): void => {
    const cell = cellAt(event);
    if (cell === undefined || event.button !== 0) return;
    stroke.current = coverage(week[cell.day], spanOf(cell.index)) !== "all";
    set(cell, stroke.current);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const cell = stroke.current === undefined ? undefined : cellAt(event);
    if (cell === undefined || stroke.current === undefined) return;
    const isDone =
      coverage(week[cell.day], spanOf(cell.index)) === (stroke.current ? "all" : "none");
    if (!isDone) set(cell, stroke.current);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const cell = cellOf(document.activeElement);
    if (cell === undefined) return;
    const isOpen = coverage(week[cell.day], spanOf(cell.index)) === "all";
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      set(cell, !isOpen);
      return;
    }
    const next = neighbourOf(cell, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (event.shiftKey) set(next, isOpen);
    grid.current
      ?.querySelector<HTMLElement>(`[data-day="${next.day}"][data-index="${next.index}"]`)
      ?.focus();
  };
  const end = (): void => void (stroke.current = undefined);

  return (
    <div className={classes.scroll}>
      <div
        ref={grid}
        className={`${classes.grid} ${classes.painting}`}
        role="grid"
        tabIndex={-1}
        aria-label={text("schedules.week")}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={end}
        onPointerCancel={end}
        onPointerLeave={end}
        onKeyDown={onKeyDown}
      >
        <span aria-hidden="true" />
        {hours.map((hour) => (
          <span key={hour} className={classes.hour} aria-hidden="true">
            {timeText(hour * 60)}
          </span>
        ))}
        {dayNames.map((day) => (
          <DayRow key={day} day={day} name={dayLabel(day, locale)} spans={week[day]} />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly day: DayName;
  readonly name: string;
  readonly spans: readonly Span[];
}

function DayRow({ day, name, spans }: RowProps): ReactElement {
  const text = useText();
  return (
    <div role="row" className={classes.day}>
      <span role="rowheader" className={classes.name}>
        {name}
      </span>
      {cells.map((index) => {
        const span = spanOf(index);
        const covered = coverage(spans, span);
        return (
          <button
            key={index}
            type="button"
            role="gridcell"
            className={classes.cell}
            data-day={day}
            data-index={index}
            data-coverage={covered}
            tabIndex={day === "monday" && index === 16 ? 0 : -1}
            aria-selected={covered === "all"}
            aria-label={text(`schedules.cell.${covered}`, {
              day: name,
              from: timeText(span.start),
              to: timeText(span.end),
            })}
          />
        );
      })}
    </div>
  );
}

interface Cell {
  readonly day: DayName;
  readonly index: number;
}

function spanOf(index: number): Span {
  return { start: index * STEP, end: (index + 1) * STEP };
}

/** A finger keeps the element that it began at: what is below it counts. */
function cellAt({ clientX, clientY }: PointerEvent): Cell | undefined {
  return cellOf(document.elementFromPoint(clientX, clientY));
}

function cellOf(element: Element | null): Cell | undefined {
  if (!(element instanceof HTMLElement)) return undefined;
  const day = dayNames.find((each) => each === element.dataset.day);
  return day === undefined ? undefined : { day, index: Number(element.dataset.index) };
}

function neighbourOf({ day, index }: Cell, key: string): Cell | undefined {
  const row = dayNames.indexOf(day);
  const moves: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    Home: [0, -CELLS],
    End: [0, CELLS],
  };
  const move = moves[key];
  if (move === undefined) return undefined;
  const next = dayNames[Math.min(Math.max(row + move[0], 0), dayNames.length - 1)] ?? day;
  return { day: next, index: Math.min(Math.max(index + move[1], 0), CELLS - 1) };
}
