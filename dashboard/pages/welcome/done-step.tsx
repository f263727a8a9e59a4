import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { Loaded } from "../../parts/loaded.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { useCheck } from "../check-edit/queries.ts";

/** Where to go from here. */
export function DoneStep({ checkId }: { readonly checkId: string }): ReactElement {
  const text = useText();
  const check = useCheck(checkId);
  return (
    <Loaded query={check}>
      {({ _id: id, label, intervalseconds }) => (
        <Stack>
          <Text role="status">
            {text("welcome.done", { name: visibleText(label), minutes: intervalseconds / 60 })}
          </Text>
          <Group>
            <Button component={Link} href="/">
              {text("welcome.toOverview")}
            </Button>
            <Button component={Link} href={`/checks/${id}/edit`} variant="default">
              {text("welcome.toCheck")}
            </Button>
            <Button component={Link} href="/checks/new" variant="default">
              {text("welcome.another")}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}
