import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";

import { api, dataOf } from "../../api/api.ts";
import type { components } from "../../api/schema.ts";
import type { ControlProps, Field, FieldsOf } from "../../parts/records/field.ts";
import {
  markdownField,
  passwordField,
  switchField,
  textField,
  wordField,
} from "../../parts/records/fields.tsx";
import { numberField } from "../../parts/records/number-field.tsx";
import { RecordForm } from "../../parts/records/record-form.tsx";
import type { Choice } from "../../parts/records/search-list.tsx";
import { zoneField } from "../../parts/records/zone-field.tsx";
import { ColorField, LogoField } from "./look-fields.tsx";
import { Sections } from "./sections.tsx";
import type { Section, StatusPage } from "./status-page.ts";

interface Props {
  /** Undefined for a new one. */
  readonly page?: StatusPage;
  readonly close: () => void;
}

const languageNames = { en: "English", de: "Deutsch" };

const sections: Field<Section[]> = {
  initial: [{ name: "", checks: [] }],
  Control: SectionsOfPage,
  isAbout: () => false,
};

const fields = {
  name: textField({ label: "records.name", maxLength: 200, isFirst: true }),
  slug: textField({ label: "statusPages.slug", help: "statusPages.slugHint", maxLength: 63 }),
  domain: textField({
    label: "statusPages.domain",
    help: "statusPages.domainHint",
    maxLength: 253,
  }),
  access: wordField({
    label: "statusPages.access",
    initial: "public",
    words: ["public", "password", "signedin"],
    labelOf: (word, text) => text(`statusPages.${word}`),
  }),
  password: passwordField({
    label: "statusPages.newPassword",
    help: "statusPages.passwordHint",
    maxLength: 128,
    isShown: ({ access }) => access === "password",
  }),
  intro: markdownField({ label: "statusPages.intro" }),
  sections,
  footer: markdownField({ label: "statusPages.footer" }),
  logo: {
    label: "statusPages.logo",
    help: "statusPages.logoHint",
    initial: "",
    Control: LogoField,
  },
  color: {
    label: "statusPages.color",
    help: "statusPages.colorHint",
    initial: "",
    Control: ColorField,
  },
  charts: wordField({
    label: "statusPages.charts",
    initial: "none",
    words: ["none", "24h", "90d"],
    labelOf: (word, text) => text(`statusPages.charts.${word}`),
  }),
  language: wordField({
    label: "statusPages.language",
    initial: "en",
    words: ["en", "de"],
    labelOf: (word) => languageNames[word],
  }),
  timezone: zoneField({ label: "statusPages.timezone", none: "statusPages.timezoneOfAccount" }),
  outageincidents: wordField({
    label: "incidents.byOutage",
    help: "incidents.byOutageHint",
    initial: "off",
    words: ["off", "draft", "post"],
    labelOf: (word, text) => text(`incidents.byOutage.${word}`),
  }),
  outagedelay: numberField({
    label: "incidents.delay",
    initial: 5,
    min: 0,
    max: 1440,
    isShown: ({ outageincidents }) => outageincidents !== "off",
  }),
  subscribe: switchField({
    label: "statusPages.subscribe",
    help: "statusPages.subscribeHint",
    initial: true,
  }),
  enabled: switchField({ label: "statusPages.enabled", initial: true }),
} satisfies FieldsOf<components["schemas"]["PostStatuspages"]>;

/** Creates a status page, or changes what is on it and who sees it. */
export function StatusPageForm({ page, close }: Props): ReactElement {
  return (
    <RecordForm
      title={page === undefined ? "statusPages.add" : "statusPages.edit"}
      name="status-page"
      record={page?._id}
      fields={fields}
      known={page}
      secretsOf={() => ["password"]}
      send={({ password, ...rest }) => {
        const body = { ...rest, ...(password !== "" && { password }) };
        return page === undefined
          ? dataOf(api.POST("/statuspages", { body }))
          : dataOf(api.PUT("/statuspages/{id}", { params: { path: { id: page._id } }, body }));
      }}
      refreshes={["statuspages"]}
      close={close}
    />
  );
}

async function loadChoices(): Promise<readonly Choice[]> {
  const all = Object.values(await dataOf(api.GET("/checks")));
  return all.map(({ _id, label, type }) => ({ id: _id, name: label, hint: type }));
}

type SectionsProps = Pick<ControlProps<Section[]>, "value" | "change">;

function SectionsOfPage({ value, change }: SectionsProps): ReactElement {
  const { data = [] } = useQuery({ queryKey: ["checks", "named"], queryFn: loadChoices });
  return <Sections sections={value} change={(sections) => change([...sections])} choices={data} />;
}
