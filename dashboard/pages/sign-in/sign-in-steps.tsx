import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";

import { ApiError, dataOf } from "../../api/api.ts";
import type { operations } from "../../api/schema.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { useText } from "../../text.ts";
import { knowsPasskeys, signedCredential } from "./passkey.ts";
import { CodeField, EmailField, PasswordField, StepForm, type Step } from "./step-form.tsx";

type Answer = operations["postSignin"]["responses"][200]["content"]["application/json"];
/** The password was right, and a second factor is asked for. */
type Pending = Extract<Answer, { is: "second factor" }>;

interface Props {
  /** The only person who may sign in here; undefined for everybody. */
  readonly email?: string;
  /** The account to sign in to, where a person has several. */
  readonly account?: string | undefined;
  readonly onSignedIn: () => void | Promise<void>;
  /** Called when the second step begins and when it ends. */
  readonly onPending?: (isPending: boolean) => void;
}

/** The password, and then the second factor where there is one. */
export function SignInSteps({
  email: fixed,
  account,
  onSignedIn,
  onPending = () => {},
}: Props): ReactElement {
  const [email, setEmail] = useState(fixed ?? "");
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState<Pending>();
  const move = (next: Pending | undefined): void => {
    setPending(next);
    onPending(next !== undefined);
  };
  const first = useMutation({
    mutationFn: () =>
      dataOf(
        visitorApi.POST("/signin", {
          body: { email, password, ...(account === undefined ? {} : { account }) },
        }),
      ),
    onSuccess: (answer) => (answer.is === "signed in" ? onSignedIn() : move(answer)),
  });
  const second = useMutation({
    mutationFn: async (proof: Proof) => {
      const { pending: secret = "" } = pending ?? {};
      const shown = "code" in proof ? proof : { credential: await signedCredential(proof.passkey) };
      return dataOf(visitorApi.POST("/signin/verify", { body: { pending: secret, ...shown } }));
    },
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 410) move(undefined);
    },
  });
  const text = useText();
  if (pending !== undefined)
    return <SecondStep pending={pending} step={second} send={(proof) => second.mutate(proof)} />;
  return (
    <StepForm
      step={{
        isPending: first.isPending || first.data?.is === "signed in",
        error: first.error ?? second.error,
      }}
      refusals={{
        400: "signIn.wrongPassword",
        403: "signIn.wrongPassword",
        410: "signIn.tookTooLong",
      }}
      action="signIn.signIn"
      submit={() => {
        second.reset();
        first.mutate();
      }}
    >
      <EmailField
        label={text("signIn.email")}
        value={email}
        set={setEmail}
        readOnly={fixed !== undefined}
        autoFocus={fixed === undefined}
      />
      <PasswordField
        label={text("signIn.password")}
        value={password}
        set={setPassword}
        autoFocus={fixed !== undefined}
        data-autofocus={fixed !== undefined || undefined}
      />
    </StepForm>
  );
}

type Proof = { readonly code: string } | { readonly passkey: string };

interface SecondProps {
  readonly pending: Pending;
  readonly step: Step & { readonly isSuccess: boolean };
  readonly send: (proof: Proof) => void;
}

function SecondStep({ pending, step, send }: SecondProps): ReactElement {
  const text = useText();
  const [code, setCode] = useState("");
  const { passkey } = pending;
  return (
    <StepForm
      step={{ isPending: step.isPending || step.isSuccess, error: step.error }}
      refusals={{ 400: "signIn.wrongProof", 403: "signIn.wrongProof" }}
      action="signIn.signIn"
      asksForCode
      submit={() => send({ code })}
    >
      {passkey !== undefined && knowsPasskeys && (
        <Button variant="default" onClick={() => send({ passkey })}>
          {text("signIn.passkey")}
        </Button>
      )}
      <CodeField
        label={text(pending.code === "app" ? "signIn.appCode" : "signIn.recoveryCode")}
        value={code}
        set={setCode}
        autoFocus
      />
    </StepForm>
  );
}
