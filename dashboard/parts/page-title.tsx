import { Group, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactElement, ReactNode } from "react";

interface Props {
  readonly title: string;
  /** Buttons next to the title. */
  readonly children?: ReactNode;
}

/** The heading of a page, which is also the title of the document. */
export function PageTitle({ title, children }: Props): ReactElement {
  useDocumentTitle(`${title} – Watchpost`);
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children !== undefined && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
