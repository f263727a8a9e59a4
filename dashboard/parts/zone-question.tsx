import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { api, dataOf } from "../api/api.ts";
import { useText } from "../text.ts";
import { useChange } from "./records/use-change.ts";
import { zoneAt } from "./records/zones.ts";

/** A name, because an account with the offset +00:00 is asked again. */
const GMT = "UTC";

interface Props {
  readonly account: string;
  /** The time zone of the browser. */
  readonly here: string;
}

/** Whether the account should have the time zone of the browser, or keep GMT. */
export function ZoneQuestion({ account, here }: Props): ReactElement {
  const text = useText();
  const change = useChange({
    send: (timezone: string) =>
      dataOf(api.PUT("/accounts/{id}", { params: { path: { id: account } }, body: { timezone } })),
    refreshes: ["accounts", "session"],
    done: text("records.saved"),
    // The question is gone, with the button that had the focus.
    onDone: () => document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true }),
    toastsError: true,
  });
  const buttonFor = (zone: string, label: string): ReactElement => (
    <Button
      size="xs"
      variant={zone === here ? "filled" : "default"}
      loading={change.isPending && change.variables === zone}
      disabled={change.isPending}
      onClick={() => change.mutate(zone)}
    >
      {label}
    </Button>
  );
  return (
    <Alert
      variant="outline"
      mb="md"
      role="group"
      title={text("zoneQuestion.title")}
      aria-label={text("zoneQuestion.title")}
    >
      <Text size="sm" mb="sm">
        {text("zoneQuestion.help")}
      </Text>
      <Group gap="sm">
        {buttonFor(here, text("zoneQuestion.use", { zone: zoneAt(here, Date.now()).label }))}
        {buttonFor(GMT, text("zoneQuestion.keep"))}
        <Anchor component={Link} href="/settings" size="sm">
          {text("zoneQuestion.other")}
        </Anchor>
      </Group>
    </Alert>
  );
}
