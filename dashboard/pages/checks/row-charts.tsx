import type { ReactElement } from "react";

import { barPaths } from "../../../src/domain/day-bar.ts";
import type { RowHistory } from "../../live/use-row-history.ts";
import { useText } from "../../text.ts";

const HEIGHT = 20;
const SPARK_WIDTH = 92;
const bar = { step: 2, width: 1.5, height: HEIGHT };

/** A bar for each day: one path a color, for 90 elements a row would be thousands. */
export function DayBars({ days }: Pick<RowHistory, "days">): ReactElement {
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

/** How long runs took in the last 24 hours; a gap where none was timed. */
export function Sparkline({ runTimes }: Pick<RowHistory, "runTimes">): ReactElement | null {
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
