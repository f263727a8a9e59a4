import { Paper, Text, Textarea } from "@mantine/core";
import { useDeferredValue } from "react";
import type { ReactElement } from "react";

import { useText } from "../../text.ts";
import { MarkdownText } from "../../parts/markdown-text.tsx";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | undefined;
}

/** A text in Markdown, with how readers will see it. */
export function MarkdownField({ label, value, change, error }: Props): ReactElement {
  const text = useText();
  const shown = useDeferredValue(value);
  return (
    <div>
      <Textarea
        label={label}
        description={text("incidents.markdown")}
        value={value}
        maxLength={10_000}
        autosize
        minRows={3}
        maxRows={10}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {shown.trim() !== "" && (
        <Paper withBorder p="xs" mt="xs" component="section" aria-label={text("incidents.preview")}>
          <Text size="xs" c="dimmed">
            {text("incidents.preview")}
          </Text>
          <MarkdownText>{shown}</MarkdownText>
        </Paper>
      )}
    </div>
  );
}
