import { Paper } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

interface Props {
  /** What the record is called. */
  readonly name: string;
  readonly children: ReactNode;
}

/** One record among others; long words in it break anywhere, so that it is as narrow as a telephone. */
export function RecordCard({ name, children }: Props): ReactElement {
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={name}
      style={{ overflowWrap: "anywhere" }}
    >
      {children}
    </Paper>
  );
}
