import { Alert, Button, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { accountOf, chooseAccount } from "../api/account-choice.ts";
import { visibleText } from "../parts/visible-text.ts";
import { useText } from "../text.ts";
import { useSession } from "./session.ts";

/** That the pages show a subaccount, and the way back. */
export function ChosenAccount(): ReactElement | null {
  const text = useText();
  const { customer_name: name } = useSession();
  if (accountOf() === undefined) return null;
  return (
    <Alert variant="outline" mb="md" role="status">
      <Group justify="space-between">
        <Text c="inherit">{text("navigation.workingOn", { name: visibleText(name) })}</Text>
        <Button variant="default" size="xs" onClick={() => chooseAccount(undefined)}>
          {text("navigation.back")}
        </Button>
      </Group>
    </Alert>
  );
}
