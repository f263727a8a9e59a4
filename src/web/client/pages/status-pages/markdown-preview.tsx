import { Paper } from "@mantine/core";
import type { ReactElement } from "react";

import { MarkdownText } from "../../parts/markdown-text.tsx";
import { useText } from "../../text.ts";

/** What readers of the page see of a text. */
export function MarkdownPreview({ source }: { readonly source: string }): ReactElement | null {
  const text = useText();
  if (source.trim() === "") return null;
  return (
    <Paper withBorder p="xs" mt={4} role="group" aria-label={text("statusPages.preview")}>
      <MarkdownText>{source}</MarkdownText>
    </Paper>
  );
}
