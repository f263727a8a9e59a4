import { Group, Switch, TextInput } from "@mantine/core";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { ControlProps, Fields } from "../../parts/records/field.ts";
import {
  markdownField,
  recordsField,
  switchField,
  textField,
  wordField,
} from "../../parts/records/fields.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import { errorOf } from "../../parts/records/refusal.ts";
import { useText } from "../../text.ts";
import { localText } from "../maintenance/plan.ts";
import {
  kinds,
  shownChecks,
  useStatusPages,
  type Incident,
  type IncidentValues,
  type Window,
} from "./incident.ts";
import { AnnouncedMaintenance } from "./announced-maintenance.tsx";

interface Props {
  /** Undefined for a new one. */
  readonly incident?: Incident;
  /** Subject of a new one. */
  readonly about?: Pick<Incident, "pages" | "checks">;
  readonly close: () => void;
}

const fields: Fields<IncidentValues> = {
  kind: wordField({
    label: "incidents.kind",
    initial: "incident",
    words: kinds,
    labelOf: (word, text) => text(`incidents.kind.${word}`),
  }),
  maintenance: {
    label: "incidents.maintenance",
    initial: "",
    Control: AnnouncedMaintenance,
    isShown: ({ kind }) => kind === "maintenance",
  },
  name: textField({ label: "incidents.name", maxLength: 200, isFirst: true }),
  text: markdownField({ label: "incidents.text" }),
  window: {
    initial: { start: "", end: "", isAutomatic: true },
    Control: WindowFields,
    isShown: ({ kind }) => kind === "maintenance",
    isAbout: ({ field }) => field === "start" || field === "end",
  },
  pages: recordsField({ label: "incidents.pages", useChoices: usePageChoices }),
  checks: recordsField({ label: "incidents.checks", useChoices: useCheckChoices }),
  isDraft: switchField({ label: "incidents.isDraft" }),
};

/** Posts an incident or a maintenance, or changes what it is about. */
export function IncidentForm({ incident, about, close }: Props): ReactElement {
  const isNew = incident === undefined;
  return (
    <RecordForm
      title={isNew ? "incidents.add" : "incidents.edit"}
      name="incident"
      record={incident?._id}
      fields={fields}
      known={isNew ? about : { ...incident, window: windowOf(incident) }}
      hidden={isNew ? [] : ["kind", "maintenance", "text", "isDraft"]}
      send={(values) =>
        isNew
          ? dataOf(api.POST("/incidents", { body: createdBody(values) }))
          : dataOf(
              api.PUT("/incidents/{id}", {
                params: { path: { id: incident._id } },
                body: changedBody(values),
              }),
            )
      }
      refreshes={["incidents"]}
      submitLabel={({ isDraft }) => {
        if (!isNew) return "common.save";
        return isDraft ? "incidents.saveDraft" : "incidents.post";
      }}
      close={close}
    />
  );
}

function usePageChoices() {
  const { data: pages = [] } = useStatusPages();
  return pages.map(({ _id, name, slug }) => ({ id: _id, name, hint: slug }));
}

function useCheckChoices() {
  const { data: pages = [] } = useStatusPages();
  return shownChecks(pages);
}

type WindowProps = Pick<ControlProps<Window>, "value" | "change" | "form">;

/** When a maintenance is, in the reader's own time. */
function WindowFields({ value, change, form: { refusal } }: WindowProps): ReactElement {
  const text = useText();
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        {(["start", "end"] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            label={text(`incidents.${name}`)}
            value={value[name]}
            error={errorOf(refusal, name)}
            onChange={(event) => change({ ...value, [name]: event.currentTarget.value })}
          />
        ))}
      </Group>
      <Switch
        label={text("incidents.auto")}
        checked={value.isAutomatic}
        onChange={(event) => change({ ...value, isAutomatic: event.currentTarget.checked })}
      />
    </>
  );
}

function windowOf({ start, end, auto }: Incident): Window {
  return {
    start: localText(start),
    end: end === undefined ? "" : localText(end),
    isAutomatic: auto,
  };
}

/** Returns the common fields. An incident starts when it is posted, and ends with its last update. */
function changedBody({ kind, name, pages, checks, window }: IncidentValues) {
  const { start, end, isAutomatic } = window;
  const instantOf = (local: string): number => new Date(local).getTime();
  return {
    name,
    pages,
    checks,
    ...(kind === "maintenance" && {
      auto: isAutomatic && start !== "",
      ...(start !== "" && { start: instantOf(start) }),
      ...(end !== "" && { end: instantOf(end) }),
    }),
  };
}

function createdBody(values: IncidentValues) {
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
