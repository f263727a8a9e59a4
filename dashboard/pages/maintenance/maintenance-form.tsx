import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import { SearchList, type Choice } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
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
  readonly duration: string;
  readonly checklist: readonly string[];
  readonly plan: Plan;
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

/** What a change sends of a plan. */
function wireOf(plan: Plan): { readonly cron?: string; readonly start?: number } {
  if (plan.when === "now") return {};
  if (plan.when === "repeated") return { cron: cronOf(plan) };
  return { start: new Date(plan.start).getTime() };
}

/** Plans a maintenance, or changes one. */
export function MaintenanceForm({ known, close }: Props): ReactElement {
  const text = useText();
  const [id, maintenance] = known ?? [];
  const draft = useDraft<Values>({
    form: "maintenance",
    record: id,
    before: {
      name: maintenance?.name ?? "",
      duration: String(maintenance?.duration ?? 60),
      checklist: maintenance?.checklist ?? [],
      plan: maintenance === undefined ? newPlan : planOf(maintenance),
    },
  });
  const { name, duration, checklist, plan } = draft.values;
  const { data: choices = [] } = useQuery({
    queryKey: ["checks", "tagged"],
    queryFn: loadChoices,
  });
  const isUnderWay = maintenance?.processing === true && maintenance.cron === undefined;
  const change = useChange({
    send: async () => {
      if (plan.when === "once" && plan.start === "" && !isUnderWay)
        throw new Error(`start: ${text("maintenance.startMissing")}`);
      const body = { name, duration, checklist: [...checklist], ...(!isUnderWay && wireOf(plan)) };
      const query = plan.when === "now" ? { id: "ad-hoc" } : {};
      return id === undefined
        ? dataOf(api.POST("/maintenance", { params: { query }, body }))
        : dataOf(api.PUT("/maintenance/{id}", { params: { path: { id } }, body }));
    },
    refreshes: ["maintenance", "checks"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(known === undefined ? "maintenance.add" : "maintenance.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={["name", "duration", "checklist", "cron", "start"]}
    >
      <TextInput
        label={text("records.name")}
        value={name}
        maxLength={255}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => draft.set({ name: event.currentTarget.value })}
      />
      {!isUnderWay && (
        <PlanFields
          plan={plan}
          change={(next) => draft.set({ plan: next })}
          refusal={refusal}
          mayBeNow={known === undefined}
        />
      )}
      <TextInput
        label={text("maintenance.duration")}
        inputMode="numeric"
        value={duration}
        error={errorOf(refusal, "duration")}
        onChange={(event) => draft.set({ duration: event.currentTarget.value })}
      />
      <SearchList
        label={text("maintenance.checklist")}
        choices={choices}
        chosen={checklist}
        choose={(ids) => draft.set({ checklist: ids })}
        error={errorOf(refusal, "checklist")}
      />
    </FormModal>
  );
}
