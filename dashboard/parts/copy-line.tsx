import { Button, Code, CopyButton, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { useText } from "../text.ts";

interface Props {
  readonly title: string;
  readonly line: string;
}

/** A line for elsewhere, with a button that copies it. */
export function CopyLine({ title, line }: Props): ReactElement {
  const text = useText();
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyButton value={line}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite">
              {copied ? text("common.copied") : text("common.copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block tabIndex={0} aria-label={title}>
        {line}
      </Code>
    </div>
  );
}
