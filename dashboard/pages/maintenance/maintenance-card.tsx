import { Button, Group, Stack, Text } from "@mantine/core";
import { ToolsIcon } from "@primer/octicons-react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { Instant } from "../../parts/records/instant.tsx";
import { RecordActions, RecordCard } from "../../parts/records/record-card.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { zoneOf } from "../../parts/records/zone.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { weekdayLabel } from "../../parts/weekday-label.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useLocale, useText } from "../../text.ts";
import { MaintenanceForm } from "./maintenance-form.tsx";
import { lastOf, planOf, type Maintenance, cronOf, type Plan } from "./plan.ts";

interface Props {
  readonly id: string;
  readonly maintenance: Maintenance;
}

/** One maintenance: when it was, is and will be, and of how many checks. */
export function MaintenanceCard({ id, maintenance }: Props): ReactElement {
  const text = useText();
  const mayChange = useMay("edit");
  const name = visibleText(maintenance.name) || text("records.unnamed");
  const { processing, enabled, checklist } = maintenance;
  const path = { params: { path: { id } } };
  const change = useChange({
    send: () => dataOf(api.PUT("/maintenance/{id}", { ...path, body: { enabled: !enabled } })),
    refreshes: ["maintenance", "checks"],
    done: text("records.saved"),
    toastsError: true,
  });
  return (
    <RecordCard
      name={name}
      order={3}
      actions={
        mayChange && (
          <>
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate(undefined)}
            >
              {text(`maintenance.${processing ? "end" : enabled ? "disable" : "enable"}`)}
            </Button>
            <RecordActions
              name={name}
              form={(close) => <MaintenanceForm known={[id, maintenance]} close={close} />}
              remove={() => dataOf(api.DELETE("/maintenance/{id}", path))}
              refreshes={["maintenance", "checks"]}
              consequences={
                <Text>
                  {text(processing ? "maintenance.deleteNow" : "maintenance.deleteHelp", {
                    count: checklist.length,
                  })}
                </Text>
              }
            />
          </>
        )
      }
    >
      <Times maintenance={maintenance} />
      <Text size="sm">{text("maintenance.checks", { count: checklist.length })}</Text>
    </RecordCard>
  );
}

function Times({ maintenance }: Pick<Props, "maintenance">): ReactElement {
  const text = useText();
  const { processing, enabled, ends, nextrun, cron, duration } = maintenance;
  const last = lastOf(maintenance);
  const repeatText = useRepeatText();
  return (
    <Stack gap={4}>
      {processing && (
        <Group gap={6} c="var(--wp-maintenance)" wrap="nowrap">
          <ToolsIcon size={14} />
          <Text size="sm" fw={600} c="inherit">
            {text("maintenance.until")} {ends !== undefined && <Instant at={ends} />}
          </Text>
        </Group>
      )}
      {nextrun !== undefined && (
        <Text size="sm">
          {text("maintenance.next")} <Instant at={nextrun} />,{" "}
          {text("maintenance.minutes", { count: duration })}
        </Text>
      )}
      {!enabled && (
        <Text size="sm" c="var(--wp-partly)">
          {text("maintenance.isDisabled")}
        </Text>
      )}
      {cron !== undefined && (
        <Text size="sm" c="dimmed">
          {repeatText(planOf({ cron }))}
        </Text>
      )}
      {last !== undefined && !processing && (
        <Text size="sm" c="dimmed">
          {text("maintenance.last")} <Instant at={last} />
        </Text>
      )}
    </Stack>
  );
}

/** How a plan is repeated, in words where there are some, in the account's time. */
function useRepeatText(): (plan: Plan) => string {
  const text = useText();
  const locale = useLocale();
  const { timezone, timezonename } = useSession();
  return (plan) => {
    const { repeat, time, day, weekdays } = plan;
    const zone = zoneOf(timezone, timezonename);
    if (repeat === "cron") return text("maintenance.cron", { cron: cronOf(plan), zone });
    const names = weekdays.map((each) => weekdayLabel(each, locale)).join(", ");
    return text(`maintenance.repeated.${repeat}`, { time, zone, day, weekdays: names });
  };
}
