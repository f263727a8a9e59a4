import type { ReactElement } from "react";

import { errorOf, type Refusal } from "../../parts/records/refusal.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { ZoneField } from "../../parts/records/zone-field.tsx";
import { useText } from "../../text.ts";
import { ColorField } from "./color-field.tsx";
import { LogoField } from "./logo-field.tsx";
import type { StatusPageValues } from "./status-page-values.ts";

export interface FieldProps {
  readonly values: StatusPageValues;
  readonly set: (changes: Partial<StatusPageValues>) => void;
  readonly refusal: Refusal | undefined;
}

const languages = ["en", "de"] as const;
const languageNames = { en: "English", de: "Deutsch" };
const charts = ["none", "24h", "90d"] as const;

/** What the page looks like beside its texts. */
export function LookFields({ values, set, refusal }: FieldProps): ReactElement {
  const text = useText();
  return (
    <>
      <LogoField
        value={values.logo}
        change={(logo) => set({ logo })}
        error={errorOf(refusal, "logo")}
      />
      <ColorField
        value={values.color}
        change={(color) => set({ color })}
        error={errorOf(refusal, "color")}
      />
      <WordSelect
        label={text("statusPages.charts")}
        value={values.charts}
        words={charts}
        labelOf={(word) => text(`statusPages.charts.${word}`)}
        choose={(chosen) => set({ charts: chosen })}
        error={errorOf(refusal, "charts")}
      />
      <WordSelect
        label={text("statusPages.language")}
        value={values.language}
        words={languages}
        labelOf={(word) => languageNames[word]}
        choose={(language) => set({ language })}
        error={errorOf(refusal, "language")}
      />
      <ZoneField
        label={text("statusPages.timezone")}
        value={values.timezone}
        choose={(timezone) => set({ timezone })}
        none={text("statusPages.timezoneOfAccount")}
        error={errorOf(refusal, "timezone")}
      />
    </>
  );
}
