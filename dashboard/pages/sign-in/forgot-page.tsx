import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { dataOf } from "../../api/api.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { useText } from "../../text.ts";
import { Layout, SignInLink } from "./layout.tsx";
import { Waiting } from "./signed-in.tsx";
import { EmailField, StepForm } from "./step-form.tsx";
import { useOffers } from "./use-offers.ts";

/** Has a link mailed for another password. */
export function ForgotPage(): ReactElement {
  const text = useText();
  const { data: offers, isPending } = useOffers();
  const [email, setEmail] = useState("");
  const send = useMutation({
    mutationFn: () => dataOf(visitorApi.POST("/signin/forgot", { body: { email } })),
  });
  if (isPending) return <Waiting />;
  if (offers?.mail === false)
    return (
      <Layout title={text("signIn.noMailTitle")}>
        <Text>{text("signIn.noMail")}</Text>
        <SignInLink />
      </Layout>
    );
  if (send.isSuccess)
    return (
      <Layout title={text("signIn.checkInbox")}>
        <Text role="status">{text("signIn.linkSent")}</Text>
        <SignInLink />
      </Layout>
    );
  return (
    <Layout title={text("signIn.newPassword")}>
      <Text>{text("signIn.linkComes")}</Text>
      <StepForm step={send} refusals={{}} action="signIn.sendLink" submit={() => send.mutate()}>
        <EmailField label={text("signIn.email")} value={email} set={setEmail} autoFocus />
      </StepForm>
      <SignInLink />
    </Layout>
  );
}
