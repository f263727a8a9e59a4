import { Anchor, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { dataOf } from "../../api/api.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { useText } from "../../text.ts";
import { Layout } from "./layout.tsx";
import { createdCredential } from "./passkey.ts";
import { StepForm } from "./step-form.tsx";

export interface NewPasskey {
  readonly pending: string;
  /** For the browser, as JSON. */
  readonly options: string;
}

interface Props {
  readonly passkey: NewPasskey;
  readonly added: (answer: { readonly codes?: readonly string[] }) => Promise<void>;
  readonly begin: () => void;
}

const MAX_LABEL = 60;

/** Has the browser make a passkey, with the name that the contact gives it. */
export function NewPasskeyForm({
  passkey: { pending, options },
  added,
  begin,
}: Props): ReactElement {
  const text = useText();
  const [label, setLabel] = useState("");
  const add = useMutation({
    async mutationFn() {
      const credential = await createdCredential(options);
      const body = { pending, credential, label };
      return dataOf(visitorApi.POST("/signin/addpasskey", { body }));
    },
    onSuccess: added,
    onError: askWhoIsSignedIn,
  });
  return (
    <Layout title={text("signIn.newPasskey")}>
      <Text>{text("signIn.newPasskeyHint")}</Text>
      <StepForm
        step={add}
        refusals={{ 400: "signIn.notAdded", 403: "signIn.notAdded" }}
        action="signIn.makePasskey"
        submit={() => add.mutate()}
      >
        <TextInput
          label={text("signIn.passkeyLabel")}
          placeholder={text("signIn.passkeyExample")}
          value={label}
          maxLength={MAX_LABEL}
          required
          withAsterisk={false}
          autoFocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
      </StepForm>
      <Anchor component="button" type="button" ta="left" onClick={begin}>
        {text("signIn.beginAgain")}
      </Anchor>
    </Layout>
  );
}
