import { Button, FileInput, Group, Image, Input } from "@mantine/core";
import { useState, type ReactElement } from "react";

import type { ControlProps } from "../../parts/records/field.ts";
import { useText } from "../../text.ts";

type Props = Pick<ControlProps<string>, "label" | "description" | "value" | "change" | "error">;

const MOST_BYTES = 100 * 1024;
const TYPES = "image/png,image/jpeg,image/webp";

/** Chooses an image of this machine. The server decides what is an image. */
export function LogoField(props: Props): ReactElement {
  const { label, description, value, change, error } = props;
  const text = useText();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const isFit = TYPES.split(",").includes(file.type) && file.size <= MOST_BYTES;
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
