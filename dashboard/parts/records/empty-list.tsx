import { Button, Paper, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

interface Props {
  /** What there would be, and what it is for. */
  readonly children: string;
  /** What to do about it; undefined for who may not. */
  readonly action?: { readonly label: string; readonly act: () => void } | undefined;
}

/** Stands in the place of a list without entries. */
export function EmptyList({ children, action }: Props): ReactElement {
  return (
    <Paper withBorder p="xl">
      <Stack align="center">
        <Text ta="center" maw={520}>
          {children}
        </Text>
        {action !== undefined && <Button onClick={action.act}>{action.label}</Button>}
      </Stack>
    </Paper>
  );
}
