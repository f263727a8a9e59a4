import type { ReactElement } from "react";

import classes from "./foreign-text.module.css";
import { visibleText } from "./visible-text.ts";

/** Text written by people or targets; its text direction does not affect its surroundings. */
export function ForeignText({ children }: { readonly children: string }): ReactElement {
  return <bdi className={classes.text}>{visibleText(children)}</bdi>;
}
