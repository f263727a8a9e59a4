import type { ReactElement } from "react";

import type { RowHistory } from "../../live/use-row-history.ts";
import { useText } from "../../text.ts";

const BAR_WIDTH = 2;
const HEIGHT = 20;
const SPARK_WIDTH = 92;

const barColors = {
  up: "var(--wp-bar-up)",
  partly: "var(--wp-bar-partly)",
  down: "var(--wp-bar-down)",
  maintenance: "var(--wp-bar-maintenance)",
  none: "var(--wp-bar-none)",
} as const satisfies Readonly<Record<RowHistory["days"][number], string>>;
const dayStates = ["up", "partly", "down", "maintenance", "none"] as const;

/** A bar for each day: one path a color, for 90 elements a row would be thousands. */
export function DayBars({ days }: Pick<RowHistory, "days">): ReactElement {
  const text = useText();
  const count = days.filter((state) => state === "down" || state === "partly").length;
  const isMeasured = days.some((state) => state !== "none");
  const width = days.length * BAR_WIDTH;
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
      {dayStates.map((state) => (
        <path
          key={state}
          fill={barColors[state]}
          d={days
            .map((each, day) => (each === state ? `M${day * BAR_WIDTH} 0h1.5v${HEIGHT}h-1.5z` : ""))
            .join("")}
        />
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
