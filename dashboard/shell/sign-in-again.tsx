import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactElement, type ReactNode } from "react";

import { Dialog } from "../parts/dialog.tsx";
import { askWhoIsSignedIn } from "../api/query-client.ts";
import { useText } from "../text.ts";
import type { Session } from "./session.ts";

/** Above the dialogs of pages, which have 200. */
const ABOVE_DIALOGS = 300;

/** Asks who was signed in for the password and the second factor, over a page that keeps what was entered. */
export function SignInAgain({ session }: { readonly session: Session }): ReactElement {
  const text = useText();
  const { email, caller } = session;
  return (
    <Dialog
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      // What the page shows is not for who finds the browser after the session has ended.
      overlayProps={{ backgroundOpacity: 1, color: "var(--mantine-color-body)" }}
      zIndex={ABOVE_DIALOGS}
      title={text("signInAgain.title")}
    >
      <Stack>
        <Text>{text("signInAgain.hint")}</Text>
        {email !== undefined && <Steps email={email} account={caller} />}
        <Anchor href="/signin" target="_blank">
          {text("signInAgain.otherWay")}
        </Anchor>
        <Anchor href="/signin">{text("signInAgain.somebodyElse")}</Anchor>
      </Stack>
    </Dialog>
  );
}

/** The password, and then the second factor where there is one. */
function Steps({
  email,
  account,
}: {
  readonly email: string;
  readonly account: string;
}): ReactElement {
  const step = useMutation({
    mutationFn: (send: () => Promise<SignInAnswer>) => send(),
    onSuccess: async ({ is }) => {
      if (is === "signed in") await askWhoIsSignedIn();
    },
  });
  const [half, setHalf] = useState<Half>();
  const send = (sending: () => Promise<SignInAnswer>): void =>
    step.mutate(sending, {
      onSuccess(answer) {
        if (answer.is === "half") setHalf(answer);
        if (answer.is === "refused" && answer.problem === "tookTooLong") setHalf(undefined);
      },
    });
  const { data, isPending, isError } = step;
  const refused = data?.is === "signed in" ? undefined : data?.problem;
  const shared = {
    send,
    isSending: isPending || data?.is === "signed in",
    problem: isError ? "failed" : refused,
  } as const;
  return half === undefined ? (
    <PasswordStep {...shared} email={email} account={account} />
  ) : (
    <SecondStep {...shared} half={half} />
  );
}

type Half = Extract<SignInAnswer, { is: "half" }>;

interface StepProps {
  readonly send: (sending: () => Promise<SignInAnswer>) => void;
  readonly isSending: boolean;
  readonly problem: SignInProblem | undefined;
}

function PasswordStep({
  email,
  account,
  ...step
}: StepProps & { readonly email: string; readonly account: string }): ReactElement {
  const text = useText();
  const [password, setPassword] = useState("");
  return (
    <StepForm
      {...step}
      submit={() => step.send(() => sendSignInForm("/signin", { email, password, account }))}
    >
      <TextInput
        label={text("signInAgain.email")}
        value={email}
        readOnly
        autoComplete="username"
        type="email"
      />
      <PasswordInput
        label={text("signInAgain.password")}
        value={password}
        maxLength={128}
        visibilityToggleButtonProps={{ "aria-label": text("common.showPassword") }}
        autoComplete="current-password"
        data-autofocus
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </StepForm>
  );
}

function SecondStep({ half, ...step }: StepProps & { readonly half: Half }): ReactElement {
  const text = useText();
  const [code, setCode] = useState("");
  const { pending, passkeyOptions: options } = half;
  return (
    <StepForm
      {...step}
      submit={() => step.send(() => sendSignInForm("/verify", { pending, code }))}
    >
      {options !== undefined && (
        <Button
          variant="default"
          onClick={() =>
            step.send(async () =>
              sendSignInForm("/verify", { pending, credential: await credentialFor(options) }),
            )
          }
        >
          {text("signInAgain.passkey")}
        </Button>
      )}
      <TextInput
        label={text("signInAgain.code")}
        value={code}
        maxLength={40}
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </StepForm>
  );
}

function StepForm({
  submit,
  isSending,
  problem,
  children,
}: Omit<StepProps, "send"> & {
  readonly submit: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const text = useText();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {children}
        {problem !== undefined && !isSending && (
          <Alert color="red" variant="outline" role="alert">
            {text(`signInAgain.${problem}`)}
          </Alert>
        )}
        <Button type="submit" loading={isSending}>
          {text("signInAgain.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

/** What the sign-in pages of the server answer to a form. */
type SignInAnswer =
  | { readonly is: "signed in" }
  | { readonly is: "refused"; readonly problem: SignInProblem }
  | {
      /** A second factor is asked for. */
      readonly is: "half";
      readonly problem: SignInProblem | undefined;
      /** Says which sign-in is under way. */
      readonly pending: string;
      /** For a passkey of the person, as JSON. */
      readonly passkeyOptions: string | undefined;
    };

type SignInProblem = "wrong" | "tooMany" | "tookTooLong" | "failed";

const problems: Readonly<Record<number, SignInProblem>> = {
  403: "wrong",
  410: "tookTooLong",
  429: "tooMany",
};

/** Sends a form of these pages, and reads of the next page what it asks for. */
async function sendSignInForm(
  path: "/signin" | "/verify",
  fields: Readonly<Record<string, string>>,
): Promise<SignInAnswer> {
  const response = await fetch(path, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  // Only who is signed in is led elsewhere.
  if (response.type === "opaqueredirect") return { is: "signed in" };
  const problem = response.ok ? undefined : (problems[response.status] ?? "failed");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const pending = page.querySelector<HTMLInputElement>('input[name="pending"]')?.value;
  if (pending === undefined) return { is: "refused", problem: problem ?? "failed" };
  const passkeyOptions = page.querySelector<HTMLElement>("[data-options]")?.dataset["options"];
  return { is: "half", problem, pending, passkeyOptions };
}

/** What a passkey of the person signs, as JSON. */
async function credentialFor(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}
