import { Stack, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";

import type { components } from "../api/schema.ts";
import { useText } from "../text.ts";
import { CopyLine } from "./copy-line.tsx";

type Check = Pick<components["schemas"]["Check"], "_id" | "parameters">;

/** The address that heartbeats of a check are sent to, and lines to copy that send them. */
export function HeartbeatLines({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const token = check.parameters.checktoken;
  if (typeof token !== "string") return null;
  const url = `${location.origin}/v1/${check._id}/${token}`;
  const lines = [
    { title: text("checkEdit.heartbeatUrl"), line: url },
    { title: text("checkEdit.byCurl"), line: `curl -fsS -m 10 --retry 5 ${url}` },
    {
      title: text("checkEdit.byCron"),
      line: `0 3 * * * /usr/local/bin/backup && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
    },
    {
      title: text("checkEdit.byRun"),
      line: `WATCHPOST_HEARTBEAT_URL=${url} watchpost run -- /usr/local/bin/backup`,
    },
  ];
  return (
    <section aria-labelledby="heartbeats">
      <Title order={2} size="h4" mb="xs" id="heartbeats">
        {text("checkEdit.heartbeats")}
      </Title>
      <Text size="sm" mb="sm">
        {text("checkEdit.heartbeatsHelp")}
      </Text>
      <Stack gap="sm">
        {lines.map(({ title, line }) => (
          <CopyLine key={title} title={title} line={line} />
        ))}
      </Stack>
    </section>
  );
}
