import { Button, CopyButton, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { CalendarIcon } from "@primer/octicons-react";
import { useQuery, type UseMutationResult } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { DeleteModal } from "../../parts/records/delete-modal.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { useText } from "../../text.ts";

/** The link with which calendar programs show the maintenances. */
export function CalendarLink(): ReactElement {
  const text = useText();
  const calendar = useQuery({
    queryKey: ["calendar"],
    queryFn: () => dataOf(api.GET("/calendar")),
  });
  const [dialog, setDialog] = useState<"renew" | "delete">();
  const close = (): void => setDialog(undefined);
  const create = useChange({
    send: () => dataOf(api.POST("/calendar")),
    refreshes: ["calendar"],
    onDone: close,
    toastsError: true,
  });
  const remove = useChange({
    send: () => dataOf(api.DELETE("/calendar")),
    refreshes: ["calendar"],
    onDone: close,
  });
  const change = dialog === "renew" ? create : remove;
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
                  <Button size="xs" variant="default" onClick={() => setDialog("renew")}>
                    {text("maintenance.calendarRenew")}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => setDialog("delete")}>
                    {text("maintenance.calendarRemove")}
                  </Button>
                </Group>
              </>
            )
          }
        </Loaded>
      </Stack>
      {dialog !== undefined && <EndLink dialog={dialog} change={change} close={close} />}
    </Paper>
  );
}

interface EndProps {
  readonly dialog: "renew" | "delete";
  readonly change: UseMutationResult;
  readonly close: () => void;
}

/** Asks before the link that programs subscribed with stops working. */
function EndLink({ dialog, change, close }: EndProps): ReactElement {
  const text = useText();
  const title = text(
    dialog === "renew" ? "maintenance.calendarRenew" : "maintenance.calendarRemove",
  );
  return (
    <DeleteModal
      title={title}
      close={close}
      act={() => change.mutate(undefined)}
      isSending={change.isPending}
      error={change.error}
      actLabel={title}
    >
      <Text>{text("maintenance.calendarEnds")}</Text>
    </DeleteModal>
  );
}
