import { PasswordInput, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { MarkdownField } from "../../parts/markdown-field.tsx";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import type { Choice } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { OutageFields } from "./outage-fields.tsx";
import { Sections } from "./sections.tsx";
import { LookFields, type FieldProps } from "./look-fields.tsx";
import type { StatusPage } from "./status-page.ts";
import { valuesOf } from "./status-page-values.ts";

interface Props {
  /** Undefined for a new one. */
  readonly page?: StatusPage;
  readonly close: () => void;
}

const accesses = ["public", "password", "signedin"] as const;
const fields = Object.keys(valuesOf(undefined)).filter((name) => name !== "sections");

async function loadChoices(): Promise<readonly Choice[]> {
  const all = Object.values(await dataOf(api.GET("/checks")));
  return all.map(({ _id, label, type }) => ({ id: _id, name: label, hint: type }));
}

/** Creates a status page, or changes what is on it and who sees it. */
export function StatusPageForm({ page, close }: Props): ReactElement {
  const text = useText();
  const draft = useDraft({
    form: "status-page",
    record: page?._id,
    before: valuesOf(page),
    secretsOf: () => ["password"],
  });
  const { values, set } = draft;
  const checks = useQuery({ queryKey: ["checks", "named"], queryFn: loadChoices });
  const change = useChange({
    send: () => {
      const { password, sections, ...rest } = values;
      const body = { ...rest, sections: [...sections], ...(password !== "" && { password }) };
      return page === undefined
        ? dataOf(api.POST("/statuspages", { body }))
        : dataOf(api.PUT("/statuspages/{id}", { params: { path: { id: page._id } }, body }));
    },
    refreshes: ["statuspages"],
    done: text("records.saved"),
    onDone: () => {
      draft.clear();
      close();
    },
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(page === undefined ? "statusPages.add" : "statusPages.edit")}
      close={close}
      draft={draft}
      submit={() => change.mutate(undefined)}
      isSending={change.isPending}
      refusal={refusal}
      fields={fields}
    >
      <TextInput
        label={text("records.name")}
        value={values.name}
        maxLength={200}
        data-autofocus
        error={errorOf(refusal, "name")}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <PlaceFields values={values} set={set} refusal={refusal} />
      <AccessFields values={values} set={set} refusal={refusal} />
      <MarkdownField
        label={text("statusPages.intro")}
        value={values.intro}
        change={(intro) => set({ intro })}
        error={errorOf(refusal, "intro")}
      />
      <Sections
        sections={values.sections}
        change={(sections) => set({ sections })}
        choices={checks.data ?? []}
      />
      <MarkdownField
        label={text("statusPages.footer")}
        value={values.footer}
        change={(footer) => set({ footer })}
        error={errorOf(refusal, "footer")}
      />
      <LookFields values={values} set={set} refusal={refusal} />
      <OutageFields values={values} set={set} refusal={refusal} />
      <Switches values={values} set={set} />
    </FormModal>
  );
}

function Switches({ values, set }: Pick<FieldProps, "values" | "set">): ReactElement {
  const text = useText();
  return (
    <>
      <Switch
        label={text("statusPages.subscribe")}
        description={text("statusPages.subscribeHint")}
        checked={values.subscribe}
        onChange={(event) => set({ subscribe: event.currentTarget.checked })}
      />
      <Switch
        label={text("statusPages.enabled")}
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </>
  );
}

/** Where the page is. */
function PlaceFields({ values, set, refusal }: FieldProps): ReactElement {
  const text = useText();
  return (
    <>
      <TextInput
        label={text("statusPages.slug")}
        description={text("statusPages.slugHint")}
        value={values.slug}
        maxLength={63}
        error={errorOf(refusal, "slug")}
        onChange={(event) => set({ slug: event.currentTarget.value })}
      />
      <TextInput
        label={text("statusPages.domain")}
        description={text("statusPages.domainHint")}
        value={values.domain}
        maxLength={253}
        error={errorOf(refusal, "domain")}
        onChange={(event) => set({ domain: event.currentTarget.value })}
      />
    </>
  );
}

/** Who sees the page. */
function AccessFields({ values, set, refusal }: FieldProps): ReactElement {
  const text = useText();
  return (
    <>
      <WordSelect
        label={text("statusPages.access")}
        value={values.access}
        words={accesses}
        labelOf={(word) => text(`statusPages.${word}`)}
        choose={(access) => set({ access })}
        error={errorOf(refusal, "access")}
      />
      {values.access === "password" && (
        <PasswordInput
          label={text("statusPages.newPassword")}
          description={text("statusPages.passwordHint")}
          value={values.password}
          maxLength={128}
          visibilityToggleButtonProps={{ "aria-label": text("common.showPassword") }}
          autoComplete="new-password"
          error={errorOf(refusal, "password")}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
      )}
    </>
  );
}
