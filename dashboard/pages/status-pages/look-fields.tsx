import { Button, ColorInput, FileInput, Group, Image, Input, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { contrastOf, MIN_CONTRAST, pageGrounds } from "../../../src/domain/status/contrast.ts";
import type { ControlProps } from "../../parts/records/field.ts";
import { useText } from "../../text.ts";

type LookProps = Pick<ControlProps<string>, "label" | "description" | "value" | "change" | "error">;

/** Each has a contrast of at least 3.8 on both grounds. */
const swatches = ["#4a78d6", "#2f8a4e", "#d1453b", "#b06a00", "#8a63d2", "#2f8f9d"];

/** The color of the head of a page, and whether it is seen on both grounds that readers may have. */
export function ColorField(props: LookProps): ReactElement {
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
  const isSeen = Math.min(light, dark) >= MIN_CONTRAST;
  const shown = { light: light.toFixed(1), dark: dark.toFixed(1) };
  return (
    <Text size="sm" mt={4} aria-live="polite">
      {text(isSeen ? "statusPages.contrastGood" : "statusPages.contrastPoor", shown)}
    </Text>
  );
}

const MAX_BYTES = 100 * 1024;
const TYPES = "image/png,image/jpeg,image/webp";

/** Chooses an image of this machine. The server decides what is an image. */
export function LogoField(props: LookProps): ReactElement {
  const { label, description, value, change, error } = props;
  const text = useText();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const isFit = TYPES.split(",").includes(file.type) && file.size <= MAX_BYTES;
    setProblem(isFit ? undefined : text("statusPages.logoRefused"));
    if (isFit) change(await dataUrlOf(file));
  };
  return (
    <div>
      <FileInput
        label={label}
        description={description}
        placeholder={text("statusPages.chooseLogo")}
        accept={TYPES}
        value={null}
        error={problem ?? error}
        onChange={(file) => void choose(file)}
      />
      {value !== "" && (
        <Group mt="xs" align="end">
          <Input.Wrapper label={text("statusPages.logoShown")} labelElement="div">
            <Image src={value} alt="" h={48} w="auto" fit="contain" />
          </Input.Wrapper>
          <Button variant="default" size="compact-sm" onClick={() => change("")}>
            {text("statusPages.removeLogo")}
          </Button>
        </Group>
      )}
    </div>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") resolve(reader.result);
    });
    reader.addEventListener("error", () => reject(new Error("the file cannot be read")));
    reader.readAsDataURL(file);
  });
}
