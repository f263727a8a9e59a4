import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { ApiError, dataOf } from "../../api/api.ts";
import type { operations } from "../../api/schema.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { LoadError } from "../../parts/load-error.tsx";
import { useText } from "../../text.ts";
import { Layout, SignInLink } from "./layout.tsx";
import { knowsPasskeys, signedCredential } from "./passkey.ts";
import { Waiting } from "./signed-in.tsx";
import { CodeField, EmailField, PasswordField, StepForm } from "./step-form.tsx";
import { useOffers } from "./use-offers.ts";

type Linked = operations["postSigninLink"]["responses"][200]["content"]["application/json"];

/** Signs a contact in by the link of a mail, and has it choose a password. */
export function StartPage(): ReactElement {
  const link = new URLSearchParams(location.search).get("link") ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: ["sign-in link", link],
    queryFn: () => dataOf(visitorApi.POST("/signin/link", { body: { link } })),
    staleTime: Infinity,
  });
  if (isGone(error)) return <LinkEnded />;
  if (error !== null) return <LoadError error={error} retry={() => void refetch()} />;
  return data === undefined ? <Waiting /> : <PasswordChoice link={link} linked={data} />;
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 410;
}

function LinkEnded(): ReactElement {
  const text = useText();
  return (
    <Layout title={text("signIn.title")}>
      <Text role="alert">{text("signIn.linkEnded")}</Text>
      <SignInLink />
    </Layout>
  );
}

interface ChoiceProps {
  readonly link: string;
  readonly linked: Linked;
}

function PasswordChoice({ link, linked }: ChoiceProps): ReactElement {
  const text = useText();
  const { email: known, code: asked, passkey } = linked;
  const { data: offers } = useOffers();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const start = useMutation({
    async mutationFn(options: string | undefined) {
      const proof =
        options === undefined ? { code } : { credential: await signedCredential(options) };
      const body = { link, password, ...(known === undefined ? { email } : {}), ...proof };
      return dataOf(visitorApi.POST("/signin/start", { body }));
    },
    onSuccess: () => location.assign("/"),
  });
  if (isGone(start.error)) return <LinkEnded />;
  return (
    <Layout title={text("signIn.choosePassword")}>
      {known !== undefined && <Text>{text("signIn.willSignInAs", { email: known })}</Text>}
      <StepForm
        step={{ isPending: start.isPending || start.isSuccess, error: start.error }}
        refusals={{
          400: known === undefined ? "signIn.wrongEmail" : "signIn.tooShort",
          403: "signIn.wrongProof",
        }}
        action="signIn.signIn"
        asksForCode={asked !== undefined}
        submit={() => start.mutate(undefined)}
      >
        {known === undefined && (
          <EmailField label={text("signIn.email")} value={email} set={setEmail} autoFocus />
        )}
        <PasswordField
          label={text("signIn.password")}
          value={password}
          set={setPassword}
          autoComplete="new-password"
          autoFocus={known !== undefined}
          {...(offers && {
            description: text("signIn.shortest", { count: offers.shortest }),
            minLength: offers.shortest,
          })}
        />
        {passkey !== undefined && knowsPasskeys && (
          <Button variant="default" onClick={() => start.mutate(passkey)}>
            {text("signIn.passkeyLink")}
          </Button>
        )}
        {asked !== undefined && (
          <CodeField
            label={text(asked === "app" ? "signIn.appCode" : "signIn.recoveryCode")}
            value={code}
            set={setCode}
          />
        )}
      </StepForm>
    </Layout>
  );
}
