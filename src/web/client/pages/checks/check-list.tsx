import { Checkbox, VisuallyHidden } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { ReactElement } from "react";

import { useDurations } from "../../live/durations.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { useText } from "../../text.ts";
import { CheckRow } from "./check-row.tsx";
import classes from "./check-list.module.css";
import type { Line } from "./list-view.ts";
import { useRowKeys } from "./use-row-keys.ts";

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
  /** Undefined where nothing can be selected. */
  readonly selection: Selection | undefined;
  /** Called with the checks on the screen. */
  readonly seen: (ids: readonly string[]) => void;
}

/** The lines of a list of any length, of which those on the screen are drawn. */
export function CheckList({ lines, now, isStale, selection, seen }: Props): ReactElement {
  const text = useText();
  const durations = useDurations();
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
  const shown = virtualizer.getVirtualItems();
  const ids = shown.flatMap(({ index }) => {
    const line = lines[index];
    return line?.kind === "check" ? [line.status.id] : [];
  });
  const shownIds = [...new Set(ids)].join(",");
  useLayoutEffect(() => seen(shownIds === "" ? [] : shownIds.split(",")), [shownIds, seen]);
  const { active, focused, keyDown, click } = useRowKeys({
    lines,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    toggle: selection?.toggle,
  });
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
      className={looks.join(" ")}
    >
      <Head selection={selection} lines={lines} />
      <div
        ref={place}
        role="rowgroup"
        style={{ position: "relative", height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const isSelected = line.kind === "check" ? selection?.ids.has(line.status.id) : undefined;
          return (
            <div
              key={key}
              role="row"
              data-line={index}
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              tabIndex={index === active ? 0 : -1}
              className={`${classes.line} ${line.kind === "tag" ? classes.tag : classes.row}`}
              style={{ transform: `translateY(${start - top}px)` }}
              onFocus={() => focused(index)}
              onKeyDown={keyDown}
              onClick={(event) => click(event, index)}
            >
              {line.kind === "tag" ? (
                <div role="gridcell">
                  {line.tag === "" ? (
                    text("checks.untagged")
                  ) : (
                    <ForeignText>{line.tag}</ForeignText>
                  )}{" "}
                  ({line.count})
                </div>
              ) : (
                <CheckRow
                  status={line.status}
                  now={now}
                  durations={durations}
                  isSelected={isSelected}
                  toggle={selection?.toggle ?? doNothing}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function doNothing(): void {}

function Head({ selection, lines }: Pick<Props, "selection" | "lines">): ReactElement {
  const text = useText();
  const checks = lines.filter((line) => line.kind === "check").length;
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={classes.head}>
        {selection !== undefined && (
          <div role="columnheader">
            <Checkbox
              aria-label={text("checks.selectAll")}
              checked={selection.ids.size > 0 && selection.ids.size >= checks}
              indeterminate={selection.ids.size > 0 && selection.ids.size < checks}
              onChange={selection.toggleAll}
            />
            <VisuallyHidden>{text("checks.selectAll")}</VisuallyHidden>
          </div>
        )}
        <div role="columnheader">{text("checks.state")}</div>
        <div role="columnheader">{text("checks.check")}</div>
        <div role="columnheader" className={`${classes.number} ${classes.wide}`}>
          {text("checks.since")}
        </div>
        <div role="columnheader" className={`${classes.number} ${classes.wide}`}>
          {text("checks.runTime")}
        </div>
        <div role="columnheader" className={`${classes.number} ${classes.wide}`}>
          {text("checks.lastRun")}
        </div>
      </div>
    </div>
  );
}
