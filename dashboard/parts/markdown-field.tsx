import { Paper, Text, Textarea } from "@mantine/core";
import { useDeferredValue, type ReactElement } from "react";

import { useText } from "../text.ts";
import { MarkdownText } from "./markdown-text.tsx";
import type { ControlProps } from "./records/field.ts";

type Props = Pick<ControlProps<string>, "label" | "value" | "change" | "error">;

/** A text in Markdown, with how readers will see it. */
export function MarkdownField({ label, value, change, error }: Props): ReactElement {
  const text = useText();
  const shown = useDeferredValue(value);
  return (
    <div>
      <Textarea
        label={label}
        description={text("forms.markdown")}
        value={value}
        maxLength={10_000}
        autosize
        minRows={3}
        maxRows={10}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {shown.trim() !== "" && (
        <Paper
          withBorder
          p="xs"
          mt="xs"
          role="group"
          aria-label={text("forms.previewOf", { field: label })}
        >
          <Text size="xs" c="dimmed">
            {text("forms.preview")}
          </Text>
          <MarkdownText>{shown}</MarkdownText>
        </Paper>
      )}
    </div>
  );
}
