import { ColorInput, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { contrastOf, LEAST_CONTRAST, pageGrounds } from "../../../src/domain/status/contrast.ts";
import type { ControlProps } from "../../parts/records/field.ts";
import { useText } from "../../text.ts";

type Props = Pick<ControlProps<string>, "label" | "description" | "value" | "change" | "error">;

/** Each has a contrast of at least 3.8 on both grounds. */
const swatches = ["#4a78d6", "#2f8a4e", "#d1453b", "#b06a00", "#8a63d2", "#2f8f9d"];

/** The color of the head of a page, and whether it is seen on both grounds that readers may have. */
export function ColorField(props: Props): ReactElement {
  const { label, description, value, change, error } = props;
  return (
    <div>
      <ColorInput
        label={label}
        description={description}
        format="hex"
        value={value}
        swatches={swatches}
        withPicker={false}
        withEyeDropper={false}
        error={error}
        onChange={change}
      />
      {/^#[\da-f]{6}$/i.test(value) && <Contrast color={value} />}
    </div>
  );
}

function Contrast({ color }: { readonly color: string }): ReactElement {
  const text = useText();
  const light = contrastOf(color, pageGrounds.light);
  const dark = contrastOf(color, pageGrounds.dark);
  const isSeen = Math.min(light, dark) >= LEAST_CONTRAST;
  const shown = { light: light.toFixed(1), dark: dark.toFixed(1) };
  return (
    <Text size="sm" mt={4} aria-live="polite">
      {text(isSeen ? "statusPages.contrastGood" : "statusPages.contrastPoor", shown)}
    </Text>
  );
}
