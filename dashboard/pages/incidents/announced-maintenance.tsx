import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { ControlProps } from "../../parts/records/field.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useText } from "../../text.ts";
import { lastOf, localText, type Maintenance, type Named } from "../maintenance/plan.ts";
import { shownChecks, useStatusPages, type IncidentValues } from "./incident.ts";

const MINUTE_MS = 60_000;

type Props = Pick<ControlProps<string, IncidentValues>, "label" | "value" | "error" | "form">;

async function loadMaintenances(): Promise<readonly Named[]> {
  const all: readonly Named[] = Object.entries(await dataOf(api.GET("/maintenance")));
  return all;
}

/** Selects a current or upcoming maintenance of checks; nothing if there is none. */
export function AnnouncedMaintenance({ label, value, error, form }: Props): ReactElement | null {
  const text = useText();
  const { data: all = [] } = useQuery({ queryKey: ["maintenance"], queryFn: loadMaintenances });
  const { data: pages = [] } = useStatusPages();
  const shown = new Set(shownChecks(pages).map(({ id }) => id));
  const toCome = all.flatMap(([id, maintenance]) => {
    const window = windowOf(maintenance);
    return window === undefined ? [] : [{ id, maintenance, ...window }];
  });
  if (toCome.length === 0) return null;
  return (
    <NativeSelect
      label={label}
      value={value}
      error={error}
      data={[
        { value: "", label: text("incidents.noMaintenance") },
        ...toCome.map(({ id, maintenance: { name } }) => ({ value: id, label: visibleText(name) })),
      ]}
      onChange={(event) => {
        const chosen = toCome.find(({ id }) => id === event.currentTarget.value);
        if (chosen === undefined) {
          form.set({ maintenance: "" });
          return;
        }
        const { id, maintenance, start, end } = chosen;
        const window = { ...form.values.window, start: localText(start), end: localText(end) };
        const checks = maintenance.checklist.filter((check) => shown.has(check));
        form.set({ maintenance: id, name: maintenance.name, window, checks });
      }}
    />
  );
}

/** Returns the current or next period. */
function windowOf(
  maintenance: Maintenance,
): { readonly start: number; readonly end: number } | undefined {
  const { processing, nextrun, ends, duration } = maintenance;
  const start = processing ? lastOf(maintenance) : nextrun;
  return start === undefined ? undefined : { start, end: ends ?? start + duration * MINUTE_MS };
}
