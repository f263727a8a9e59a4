import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { useText } from "../../text.ts";

/** Where to go from here. */
export function DoneStep({ checkId }: { readonly checkId: string }): ReactElement {
  const text = useText();
  return (
    <Stack>
      <Text role="status">{text("welcome.done")}</Text>
      <Group>
        <Button component={Link} href="/">
          {text("welcome.toOverview")}
        </Button>
        <Button component={Link} href={`/checks/${checkId}/edit`} variant="default">
          {text("welcome.toCheck")}
        </Button>
        <Button component={Link} href="/checks/new" variant="default">
          {text("welcome.another")}
        </Button>
      </Group>
    </Stack>
  );
}
