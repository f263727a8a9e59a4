import { Switch, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { MarkdownField } from "../../parts/markdown-field.tsx";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf, type Refusal } from "../../parts/records/refusal.ts";
import { SearchList } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { localText } from "../maintenance/plan.ts";
import { kinds, shownChecks, useStatusPages, type Incident } from "./incident.ts";
import { AnnouncedMaintenance } from "./announced-maintenance.tsx";
import { WindowFields } from "./window-fields.tsx";

interface Props {
  /** Undefined for a new one. */
  readonly incident?: Incident;
  /** What a new one is about. */
  readonly about?: Pick<Incident, "pages" | "checks">;
  readonly close: () => void;
}

const fields = ["maintenance", "name", "text", "pages", "checks", "start", "end"];

/** Posts an incident or a maintenance, or changes what it is about. */
export function IncidentForm({ incident, about, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft({
    form: "incident",
    record: incident?._id,
    before: valuesOf(incident ?? about),
  });
  const { values, set } = draft;
  const isNew = incident === undefined;
  const change = useChange({
    send: () =>
      isNew
        ? dataOf(api.POST("/incidents", { body: createdBody(values) }))
        : dataOf(
            api.PUT("/incidents/{id}", {
              params: { path: { id: incident._id } },
              body: changedBody(values),
            }),
          ),
    refreshes: ["incidents"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(isNew ? "incidents.add" : "incidents.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={fields}
      {...(isNew && {
        submitLabel: text(values.isDraft ? "incidents.saveDraft" : "incidents.post"),
      })}
    >
      {isNew && <KindFields values={values} set={set} refusal={refusal} />}
      <TextInput
        label={text("incidents.name")}
        value={values.name}
        maxLength={200}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {isNew && (
        <MarkdownField
          label={text("incidents.text")}
          value={values.text}
          change={(words) => set({ text: words })}
          error={errorOf(refusal, "text")}
        />
      )}
      {values.kind === "maintenance" && (
        <WindowFields window={values} change={set} refusal={refusal} />
      )}
      <WhereFields values={values} set={set} refusal={refusal} />
      {isNew && (
        <Switch
          label={text("incidents.isDraft")}
          checked={values.isDraft}
          onChange={(event) => set({ isDraft: event.currentTarget.checked })}
        />
      )}
    </FormModal>
  );
}

interface PartProps {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  readonly refusal: Refusal | undefined;
}

/** Whether a new one is an incident or a maintenance, and which. */
function KindFields({ values, set, refusal }: PartProps): ReactElement {
  const text = useText();
  return (
    <>
      <WordSelect
        label={text("incidents.kind")}
        value={values.kind}
        words={kinds}
        labelOf={(word) => text(`incidents.kind.${word}`)}
        choose={(kind) => set({ kind })}
      />
      {values.kind === "maintenance" && (
        <AnnouncedMaintenance
          value={values.maintenance}
          choose={set}
          error={errorOf(refusal, "maintenance")}
        />
      )}
    </>
  );
}

/** The pages that show it, and what it affects. */
function WhereFields({ values, set, refusal }: PartProps): ReactElement {
  const text = useText();
  const { data: pages = [] } = useStatusPages();
  return (
    <>
      <SearchList
        label={text("incidents.pages")}
        choices={pages.map(({ _id, name, slug }) => ({ id: _id, name, hint: slug }))}
        chosen={values.pages}
        choose={(ids) => set({ pages: ids })}
        error={errorOf(refusal, "pages")}
      />
      <SearchList
        label={text("incidents.checks")}
        choices={shownChecks(pages)}
        chosen={values.checks}
        choose={(ids) => set({ checks: ids })}
        error={errorOf(refusal, "checks")}
      />
    </>
  );
}

interface Values extends Pick<Incident, "kind" | "name"> {
  readonly text: string;
  /** The maintenance of checks that a new one announces. */
  readonly maintenance: string;
  readonly pages: readonly string[];
  readonly checks: readonly string[];
  readonly start: string;
  readonly end: string;
  readonly isAutomatic: boolean;
  readonly isDraft: boolean;
}

function valuesOf(known: Partial<Incident> = {}): Values {
  const { kind = "incident", name = "", pages = [], checks = [], start, end } = known;
  return {
    kind,
    name,
    text: "",
    maintenance: "",
    pages,
    checks,
    start: start === undefined ? "" : localText(start),
    end: end === undefined ? "" : localText(end),
    isAutomatic: known.auto ?? true,
    isDraft: false,
  };
}

/** What both send. An incident begins when it is posted, and ends with its last update. */
function changedBody({ kind, name, pages, checks, start, end, isAutomatic }: Values) {
  const instantOf = (local: string): number => new Date(local).getTime();
  return {
    name,
    pages: [...pages],
    checks: [...checks],
    ...(kind === "maintenance" && {
      auto: isAutomatic && start !== "",
      ...(start !== "" && { start: instantOf(start) }),
      ...(end !== "" && { end: instantOf(end) }),
    }),
  };
}

function createdBody(values: Values) {
  const { kind, text, isDraft, maintenance } = values;
  const isAnnounced = kind === "maintenance" && maintenance !== "";
  return {
    ...changedBody(values),
    kind,
    text,
    published: !isDraft,
    ...(isAnnounced && { maintenance }),
  };
}
