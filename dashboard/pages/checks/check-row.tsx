import { Checkbox } from "@mantine/core";
import { BellSlashIcon } from "@primer/octicons-react";
import { memo, type ReactElement } from "react";
import { Link } from "wouter";

import { barPaths } from "../../../src/domain/day-bar.ts";
import type { Durations } from "../../live/durations.ts";
import { statusAt, type Status } from "../../live/status-list.ts";
import type { RowHistory } from "../../live/use-row-history.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { locationsText } from "../check/formats.ts";
import classes from "./check-list.module.css";

const HEIGHT = 20;
const SPARK_WIDTH = 92;
const bar = { step: 2, width: 1.5, height: HEIGHT };

interface Props {
  readonly status: Status;
  readonly now: number;
  readonly durations: Durations;
  /** Undefined until it is read. */
  readonly history: RowHistory | undefined;
  /** Undefined if nothing can be selected. */
  readonly isSelected: boolean | undefined;
  readonly toggle: (id: string) => void;
}

/** The cells of a check in the list. */
export const CheckRow = memo(function CheckRow(props: Props): ReactElement {
  const { status, now, durations, history, isSelected, toggle } = props;
  const text = useText();
  const { status: state, since } = statusAt(status, now);
  const { id, label, run, ms } = status;
  return (
    <>
      {isSelected !== undefined && (
        <div role="gridcell">
          <Checkbox
            aria-label={text("checks.select", { name: visibleText(label) })}
            checked={isSelected}
            tabIndex={-1}
            onChange={() => toggle(id)}
            onClick={(event) => event.stopPropagation()}
          />
        </div>
      )}
      <div role="gridcell" className={classes.state}>
        <StateBadge state={state} />
      </div>
      <div role="gridcell" className={classes.name}>
        <Link href={`/checks/${id}`} tabIndex={-1} title={visibleText(label)}>
          <ForeignText>{label}</ForeignText>
        </Link>
        <Detail status={status} />
      </div>
      <div role="gridcell" className={classes.chart}>
        {history !== undefined && <DayBars days={history.days} />}
      </div>
      <div role="gridcell" className={classes.chart}>
        {history !== undefined && <Sparkline runTimes={history.runTimes} />}
      </div>
      <div role="gridcell" className={`${classes.number} ${classes.wide}`}>
        {durations.short(now - since)}
      </div>
      <div role="gridcell" className={`${classes.number} ${classes.wide}`}>
        {ms === undefined ? "–" : durations.run(ms)}
      </div>
      <div role="gridcell" className={`${classes.number} ${classes.wide}`}>
        {run === undefined
          ? text("checks.never")
          : text("checks.ago", { duration: durations.short(now - run) })}
      </div>
    </>
  );
});

/** Details below the name. */
function Detail({ status }: { readonly status: Status }): ReactElement {
  const text = useText();
  const { type, target, tags = [], mute, acknowledged, trouble, failinglocations } = status;
  const parts = [
    type,
    target,
    ...tags.map((tag) => `#${tag}`),
    ...(failinglocations === undefined
      ? []
      : [text("checks.failsFrom", { locations: locationsText(failinglocations) })]),
    ...(trouble === undefined ? [] : [text("checks.trouble", { reason: trouble })]),
    ...(acknowledged === undefined
      ? []
      : [text("checks.acknowledgedBy", { name: acknowledged.by })]),
  ].filter((part) => part !== "");
  const line = parts.join(" · ");
  return (
    <span className={classes.detail} title={visibleText(line)}>
      {mute !== undefined && (
        <>
          <BellSlashIcon size={12} aria-label={text("checks.muted")} />{" "}
        </>
      )}
      <ForeignText>{line}</ForeignText>
    </span>
  );
}

/** A bar for each day: one path a color, for 90 elements a row would be thousands. */
function DayBars({ days }: Pick<RowHistory, "days">): ReactElement {
  const text = useText();
  const count = days.filter(({ downMs }) => downMs > 0).length;
  const isMeasured = days.some(({ state }) => state !== "none");
  const width = days.length * bar.step;
  return (
    <svg
      role="img"
      aria-label={
        isMeasured
          ? text("checks.badDays", { count, days: days.length })
          : text("checks.noDays", { days: days.length })
      }
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      {[...barPaths(days, bar)].map(([tone, path]) => (
        <path key={tone} fill={`var(--wp-bar-${tone})`} d={path} />
      ))}
    </svg>
  );
}

/** Response times of the last 24 hours; gaps where no run was timed. */
function Sparkline({ runTimes }: Pick<RowHistory, "runTimes">): ReactElement | null {
  const text = useText();
  const known = runTimes.filter((ms) => ms !== null);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const step = SPARK_WIDTH / Math.max(1, runTimes.length - 1);
  const heightOf = (ms: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - 1 - ((ms - least) / (most - least)) * (HEIGHT - 2);
  const path = runTimes
    .map((ms, index) => {
      if (ms === null) return "";
      const isFirst = index === 0 || runTimes[index - 1] === null;
      return `${isFirst ? "M" : "L"}${(index * step).toFixed(1)} ${heightOf(ms).toFixed(1)}`;
    })
    .join("");
  return (
    <svg
      role="img"
      aria-label={text("checks.runTimes", { least, most })}
      width={SPARK_WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${SPARK_WIDTH} ${HEIGHT}`}
    >
      <path d={path} fill="none" stroke="var(--wp-unknown)" strokeWidth={1.5} />
    </svg>
  );
}
