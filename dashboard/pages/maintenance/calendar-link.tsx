import { Button, CopyButton, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { CalendarIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { ConfirmModal } from "../../parts/records/confirm-modal.tsx";
import { DialogButton } from "../../parts/records/dialog-button.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";

/** The link with which calendar programs show the maintenances. */
export function CalendarLink(): ReactElement {
  const text = useText();
  const calendar = useQuery({
    queryKey: ["calendar"],
    queryFn: () => dataOf(api.GET("/calendar")),
  });
  const create = useChange({
    send: createLink,
    refreshes: ["calendar"],
    toastsError: true,
  });
  return (
    <Paper withBorder p="md" mt="xl" component="section" aria-label={text("maintenance.calendar")}>
      <Stack gap="sm">
        <Group gap="xs">
          <CalendarIcon size={16} />
          <Title order={2} size="h4">
            {text("maintenance.calendar")}
          </Title>
        </Group>
        <Text size="sm">{text("maintenance.calendarHelp")}</Text>
        <Loaded query={calendar}>
          {({ url }) =>
            url === undefined ? (
              <Group>
                <Button
                  variant="default"
                  loading={create.isPending}
                  onClick={() => create.mutate(undefined)}
                >
                  {text("maintenance.calendarCreate")}
                </Button>
              </Group>
            ) : (
              <>
                <TextInput readOnly aria-label={text("maintenance.calendarLink")} value={url} />
                <Group gap="xs">
                  <CopyButton value={url}>
                    {({ copied, copy }) => (
                      <Button size="xs" variant="default" onClick={copy}>
                        {text(copied ? "common.copied" : "common.copy")}
                      </Button>
                    )}
                  </CopyButton>
                  <EndLink label={text("maintenance.calendarRenew")} send={createLink} />
                  <EndLink
                    label={text("maintenance.calendarRemove")}
                    send={() => dataOf(api.DELETE("/calendar"))}
                  />
                </Group>
              </>
            )
          }
        </Loaded>
      </Stack>
    </Paper>
  );
}

function createLink() {
  return dataOf(api.POST("/calendar"));
}

interface EndProps {
  readonly label: string;
  readonly send: () => Promise<unknown>;
}

/** Asks before the link that programs subscribed with stops working. */
function EndLink({ label, send }: EndProps): ReactElement {
  const text = useText();
  return (
    <DialogButton label={label}>
      {(close) => (
        <ConfirmModal
          title={label}
          close={close}
          send={send}
          refreshes={["calendar"]}
          actLabel={label}
        >
          <Text>{text("maintenance.calendarEnds")}</Text>
        </ConfirmModal>
      )}
    </DialogButton>
  );
}
