import type { ReactElement } from "react";

import classes from "./foreign-text.module.css";
import { visibleText } from "./visible-text.ts";

/** A text that people or targets wrote; its direction does not turn what stands beside it. */
export function ForeignText({ children }: { readonly children: string }): ReactElement {
  return <bdi className={classes.text}>{visibleText(children)}</bdi>;
}
