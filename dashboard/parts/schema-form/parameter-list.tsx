import { Stack } from "@mantine/core";
import type { ReactElement } from "react";
import type { Control } from "react-hook-form";

import { Folded } from "./folded.tsx";
import type { FormParameter, FormValues } from "./form-values.ts";
import { ParameterInput } from "./parameter-input.tsx";

interface Props {
  readonly parameters: readonly FormParameter[];
  readonly control: Control<FormValues>;
  /** The title of what is shown on demand. */
  readonly advancedTitle: string;
  /** The fields that the server objects to: what is folded away is shown where one is in it. */
  readonly wrong: readonly string[];
}

/** Parameters in the order of the form; those that few need are shown on demand. */
export function ParameterList({ parameters, control, advancedTitle, wrong }: Props): ReactElement {
  const inputs = (isAdvanced: boolean): readonly ReactElement[] =>
    parameters
      .filter(({ advanced }) => advanced === isAdvanced)
      .map((parameter) => (
        <ParameterInput key={parameter.name} parameter={parameter} control={control} />
      ));
  const advanced = inputs(true);
  const isWrong = parameters.some((each) => each.advanced && wrong.includes(each.name));
  return (
    <Stack>
      {inputs(false)}
      {advanced.length > 0 && (
        <Folded title={advancedTitle} isForced={isWrong}>
          <Stack>{advanced}</Stack>
        </Folded>
      )}
    </Stack>
  );
}
