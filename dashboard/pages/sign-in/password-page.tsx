import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { dataOf } from "../../api/api.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { useText } from "../../text.ts";
import { BackLink, Layout } from "./layout.tsx";
import { PasswordField, StepForm } from "./step-form.tsx";
import { useOffers } from "./use-offers.ts";

/** Changes the password of who is signed in. */
export function PasswordPage(): ReactElement {
  const text = useText();
  const { data: offers } = useOffers();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => dataOf(visitorApi.POST("/signin/password", { body: { current, password } })),
    onSuccess: () => location.assign("/"),
    // The session may have ended.
    onError: askWhoIsSignedIn,
  });
  return (
    <Layout title={text("signIn.changePassword")}>
      <StepForm
        step={{ isPending: change.isPending || change.isSuccess, error: change.error }}
        refusals={{
          400: "signIn.tooShort",
          403: "signIn.wrongCurrent",
          409: "signIn.changedMeanwhile",
        }}
        action="signIn.change"
        submit={() => change.mutate()}
      >
        <PasswordField
          label={text("signIn.currentPassword")}
          value={current}
          set={setCurrent}
          autoFocus
        />
        <PasswordField
          label={text("signIn.nextPassword")}
          value={password}
          set={setPassword}
          autoComplete="new-password"
          {...(offers && {
            description: text("signIn.shortest", { count: offers.shortest }),
            minLength: offers.shortest,
          })}
        />
        <Text size="sm" c="dimmed">
          {text("signIn.staysSignedIn")}
        </Text>
      </StepForm>
      <BackLink />
    </Layout>
  );
}
