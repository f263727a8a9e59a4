import type { ReactElement } from "react";

import classes from "./command-palette.module.css";
import type { Span } from "./ranked.ts";

interface Props {
  readonly children: string;
  readonly marks: readonly Span[];
}

/** A name with the parts marked that match; its direction does not turn what stands beside it. */
export function MarkedText({ children: name, marks }: Props): ReactElement {
  const ends = [0, ...marks.map(([, end]) => end)];
  return (
    <bdi className={classes.name}>
      {marks.map(([start, end], index) => (
        <span key={start}>
          {name.slice(ends[index], start)}
          <mark className={classes.mark}>{name.slice(start, end)}</mark>
        </span>
      ))}
      {name.slice(ends.at(-1))}
    </bdi>
  );
}
