import { PasswordInput, Switch, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import { FormModal } from "../../parts/records/form-modal.tsx";
import { errorOf, refusalOf } from "../../parts/records/refusal.ts";
import type { Refusal } from "../../parts/records/refusal.ts";
import type { Choice } from "../../parts/records/search-list.tsx";
import { useChange } from "../../parts/records/use-change.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import { OutageFields } from "./outage-fields.tsx";
import { Sections } from "./sections.tsx";
import type { Section, StatusPage } from "./status-page.ts";

interface Props {
  /** Undefined for a new one. */
  readonly page?: StatusPage;
  readonly close: () => void;
}

const accesses = ["public", "password", "signedin"] as const;
const languages = ["en", "de"] as const;
const languageNames = { en: "English", de: "Deutsch" };
const fields = [
  "name",
  "slug",
  "access",
  "password",
  "language",
  "intro",
  "enabled",
  "outageincidents",
  "outagedelay",
];

async function loadChoices(): Promise<readonly Choice[]> {
  const all = Object.values(await dataOf(api.GET("/checks")));
  return all.map(({ _id, label, type }) => ({ id: _id, name: label, hint: type }));
}

/** Creates a status page, or changes what is on it and who sees it. */
export function StatusPageForm({ page, close }: Props): ReactElement {
  const text = useText();
  const [values, setValues] = useState(() => valuesOf(page));
  const set = (changes: Partial<Values>): void => setValues({ ...values, ...changes });
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
    onDone: close,
  });
  const refusal = refusalOf(change.error);
  return (
    <FormModal
      title={text(page === undefined ? "statusPages.add" : "statusPages.edit")}
      close={close}
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
      <TextInput
        label={text("statusPages.slug")}
        description={text("statusPages.slugHint")}
        value={values.slug}
        maxLength={63}
        error={errorOf(refusal, "slug")}
        onChange={(event) => set({ slug: event.currentTarget.value })}
      />
      <AccessFields values={values} set={set} refusal={refusal} />
      <WordSelect
        label={text("statusPages.language")}
        value={values.language}
        words={languages}
        labelOf={(word) => languageNames[word]}
        choose={(language) => set({ language })}
        error={errorOf(refusal, "language")}
      />
      <Textarea
        label={text("statusPages.intro")}
        description={text("statusPages.introHint")}
        value={values.intro}
        maxLength={10_000}
        autosize
        minRows={2}
        maxRows={8}
        error={errorOf(refusal, "intro")}
        onChange={(event) => set({ intro: event.currentTarget.value })}
      />
      <Sections
        sections={values.sections}
        change={(sections) => set({ sections })}
        choices={checks.data ?? []}
      />
      <OutageFields values={values} set={set} refusal={refusal} />
      <Switch
        label={text("statusPages.enabled")}
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormModal>
  );
}

interface AccessProps {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  readonly refusal: Refusal | undefined;
}

/** Who sees the page. */
function AccessFields({ values, set, refusal }: AccessProps): ReactElement {
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
          autoComplete="new-password"
          error={errorOf(refusal, "password")}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
      )}
    </>
  );
}

interface Values extends Pick<
  StatusPage,
  "name" | "slug" | "access" | "language" | "intro" | "enabled" | "outageincidents" | "outagedelay"
> {
  readonly password: string;
  readonly sections: readonly Section[];
}

function valuesOf(page: StatusPage | undefined): Values {
  return {
    name: page?.name ?? "",
    slug: page?.slug ?? "",
    access: page?.access ?? "public",
    password: "",
    language: page?.language ?? "en",
    intro: page?.intro ?? "",
    enabled: page?.enabled ?? true,
    outageincidents: page?.outageincidents ?? "off",
    outagedelay: page?.outagedelay ?? 5,
    sections: page?.sections ?? [{ name: "", checks: [] }],
  };
}
