import { Button, Paper, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

interface Props {
  /** Description of the missing items and their purpose. */
  readonly children: string;
  /** Action to add one; undefined if the user may not. */
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
