import { NumberInput } from "@mantine/core";
import type { ReactElement } from "react";

import { errorOf, type Refusal } from "../../parts/records/refusal.ts";
import { WordSelect } from "../../parts/records/word-select.tsx";
import { useText } from "../../text.ts";
import type { StatusPage } from "./status-page.ts";

const modes = ["off", "draft", "post"] as const;

type Values = Pick<StatusPage, "outageincidents" | "outagedelay">;

interface Props {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  readonly refusal: Refusal | undefined;
}

/** What an outage of one of its checks does on a page. */
export function OutageFields({ values, set, refusal }: Props): ReactElement {
  const text = useText();
  return (
    <>
      <WordSelect
        label={text("incidents.byOutage")}
        description={text("incidents.byOutageHint")}
        value={values.outageincidents}
        words={modes}
        labelOf={(word) => text(`incidents.byOutage.${word}`)}
        choose={(outageincidents) => set({ outageincidents })}
        error={errorOf(refusal, "outageincidents")}
      />
      {values.outageincidents !== "off" && (
        <NumberInput
          label={text("incidents.delay")}
          value={values.outagedelay}
          min={0}
          max={1440}
          allowDecimal={false}
          hideControls
          error={errorOf(refusal, "outagedelay")}
          onChange={(value) => set({ outagedelay: Number(value) })}
        />
      )}
    </>
  );
}
