import { Box, Table } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly children: ReactNode;
  /** In pixels: a longer one is scrolled. */
  readonly height?: number;
}

/** A table that is scrolled where it does not fit, by the keyboard too. */
export function WideTable({ label, children, height }: Props): ReactElement {
  return (
    <Box
      role="region"
      aria-label={label}
      tabIndex={0}
      style={{ overflow: "auto" }}
      {...(height !== undefined && { mah: height })}
    >
      <Table
        style={{ whiteSpace: "nowrap" }}
        stickyHeader={height !== undefined}
        aria-label={label}
      >
        {children}
      </Table>
    </Box>
  );
}
