import { Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { CopyLine } from "../../parts/copy-line.tsx";
import { useText } from "../../text.ts";
import type { StatusPage } from "./status-page.ts";

interface Props {
  readonly page: StatusPage;
  readonly close: () => void;
}

/** Lines to copy that show the page elsewhere. */
export function EmbedModal({ page, close }: Props): ReactElement {
  const text = useText();
  const { url } = page;
  const lines = [
    { title: text("statusPages.address"), line: url },
    { title: text("statusPages.widget"), line: `<script async src="${url}/widget.js"></script>` },
    {
      title: text("statusPages.badgeHtml"),
      line: `<a href="${url}"><img src="${url}/badge.svg" alt="${text("statusPages.badgeAlt")}"></a>`,
    },
    { title: text("statusPages.badgeMarkdown"), line: `[![](${url}/badge.svg)](${url})` },
    { title: text("statusPages.json"), line: `${url}/status.json` },
  ];
  return (
    <Dialog opened onClose={close} size="lg" title={text("statusPages.embedTitle")}>
      <Stack>
        <Text size="sm">
          {text(page.access === "public" ? "statusPages.embedHint" : "statusPages.embedRefused")}
        </Text>
        {lines.map(({ title, line }) => (
          <CopyLine key={title} title={title} line={line} />
        ))}
      </Stack>
    </Dialog>
  );
}
