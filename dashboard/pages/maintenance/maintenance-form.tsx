import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { Fields } from "../../parts/records/field.ts";
import { recordsField, textField } from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import type { Choice } from "../../parts/records/search-list.tsx";
import { useText } from "../../text.ts";
import { cronOf, newPlan, planOf, type Named, type Plan } from "./plan.ts";
import { PlanFields } from "./plan-fields.tsx";

interface Props {
  /** Undefined for a new one. */
  readonly known?: Named;
  readonly close: () => void;
}

interface Values {
  readonly name: string;
  readonly plan: Plan;
  readonly duration: string;
  readonly checklist: string[];
}

const fields: Fields<Values> = {
  name: textField({ label: "records.name", maxLength: 255, isFirst: true }),
  plan: {
    initial: newPlan,
    Control: PlanFields,
    isAbout: ({ field }) => field === "cron" || field === "start",
  },
  duration: textField({ label: "maintenance.duration", initial: "60", inputMode: "numeric" }),
  checklist: recordsField({ label: "maintenance.checklist", useChoices }),
};

/** Plans a maintenance, or changes one. */
export function MaintenanceForm({ known, close }: Props): ReactElement {
  const text = useText();
  const [id, maintenance] = known ?? [];
  const isUnderWay = maintenance?.processing === true && maintenance.cron === undefined;
  return (
    <RecordForm
      title={id === undefined ? "maintenance.add" : "maintenance.edit"}
      name="maintenance"
      record={id}
      fields={fields}
      known={
        maintenance && {
          name: maintenance.name,
          plan: planOf(maintenance),
          duration: String(maintenance.duration),
          checklist: maintenance.checklist,
        }
      }
      hidden={isUnderWay ? ["plan"] : []}
      send={async ({ plan, ...rest }) => {
        if (plan.when === "once" && plan.start === "" && !isUnderWay)
          throw new Error(`start: ${text("maintenance.startMissing")}`);
        const body = { ...rest, ...(!isUnderWay && toBody(plan)) };
        const query = plan.when === "now" ? { id: "ad-hoc" } : {};
        return id === undefined
          ? dataOf(api.POST("/maintenance", { params: { query }, body }))
          : dataOf(api.PUT("/maintenance/{id}", { params: { path: { id } }, body }));
      }}
      refreshes={["maintenance", "checks"]}
      close={close}
    />
  );
}

/** The checks of the account, found by their label, tags and type. */
async function loadChoices(): Promise<readonly Choice[]> {
  const all = await dataOf(api.GET("/statuses"));
  return all.map(({ id, label, type, tags = [] }) => ({
    id,
    name: label,
    hint: [type, ...tags].join(", "),
  }));
}

function useChoices(): readonly Choice[] {
  return useQuery({ queryKey: ["checks", "tagged"], queryFn: loadChoices }).data ?? [];
}

/** Returns the fields sent for a schedule. */
function toBody(plan: Plan): { readonly cron?: string; readonly start?: number } {
  if (plan.when === "now") return {};
  if (plan.when === "repeated") return { cron: cronOf(plan) };
  return { start: new Date(plan.start).getTime() };
}
