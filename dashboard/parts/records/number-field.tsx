import { NumberInput } from "@mantine/core";

import type { Declared, Field } from "./field.ts";
import { inputOf } from "./fields.tsx";

/** A whole number. */
export function numberField<Values extends object>(
  declared: Declared<number, Values> & { readonly min: number; readonly max: number },
): Field<number, Values> {
  const { min, max } = declared;
  return {
    initial: min,
    ...declared,
    Control: (props) => (
      <NumberInput
        {...inputOf(props)}
        {...{ min, max }}
        allowDecimal={false}
        hideControls
        onChange={(value) => props.change(Number(value))}
      />
    ),
  };
}
