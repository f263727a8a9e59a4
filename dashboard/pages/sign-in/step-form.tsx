import { Alert, Button, Stack, TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, type ReactElement, type ReactNode } from "react";

import { ApiError } from "../../api/api.ts";
import type { MessageId } from "../../locales/catalogue.ts";
import { useText, type Text } from "../../text.ts";

/** By the status of a refusal, what it is about in this step. */
type Refusals = Readonly<Partial<Record<400 | 403 | 409 | 410, MessageId>>>;

export interface Step {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface Props {
  readonly step: Step;
  readonly refusals: Refusals;
  /** The text of the button. */
  readonly action: MessageId;
  readonly submit: () => void;
  readonly children: ReactNode;
  readonly asksForCode?: boolean;
}

/** A form of one step of signing in. A refusal is read out, and the focus returns to the field that was most likely wrong. */
export function StepForm({
  step,
  refusals,
  action,
  submit,
  children,
  asksForCode = false,
}: Props): ReactElement {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const { isPending, error } = step;
  useEffect(() => {
    if (error === null) return;
    const secret = form.current?.querySelector<HTMLElement>("[type=password]");
    (secret ?? form.current?.querySelector("input"))?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {children}
        {error !== null && !isPending && (
          <Problem>{problemOf(error, refusals, { text, asksForCode })}</Problem>
        )}
        <Button type="submit" loading={isPending}>
          {text(action)}
        </Button>
      </Stack>
    </form>
  );
}

export function Problem({ children }: { readonly children: string }): ReactElement {
  return (
    <Alert color="red" variant="outline" role="alert">
      {children}
    </Alert>
  );
}

const MINUTE_SECONDS = 60;

export function problemOf(
  error: Error,
  refusals: Refusals,
  { text, asksForCode = false }: { readonly text: Text; readonly asksForCode?: boolean },
): string {
  // The browser throws where the person cancels it.
  if (error instanceof DOMException) return text("signIn.noPasskey");
  if (!(error instanceof ApiError)) return text("signIn.failed");
  const { status, retrySeconds: seconds = MINUTE_SECONDS } = error;
  if (status === 429)
    return asksForCode
      ? text("signIn.tooManyCodes", { minutes: Math.ceil(seconds / MINUTE_SECONDS) })
      : text("signIn.tooMany", { seconds });
  if (status === 503) return text("signIn.busy");
  const known = Object.entries(refusals).find(([each]) => each === String(status))?.[1];
  return text(known ?? "signIn.failed");
}

const MAX_PASSWORD = 128;
const MAX_EMAIL = 320;
const MAX_CODE = 40;

interface FieldProps extends Omit<TextInputProps, "onChange" | "value"> {
  readonly value: string;
  readonly set: (value: string) => void;
}

function Field({ set, ...props }: FieldProps): ReactElement {
  return (
    <TextInput
      {...props}
      required
      withAsterisk={false}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

export function EmailField(props: FieldProps): ReactElement {
  return <Field {...props} type="email" autoComplete="username" maxLength={MAX_EMAIL} />;
}

export function PasswordField(props: FieldProps): ReactElement {
  return (
    <Field autoComplete="current-password" {...props} type="password" maxLength={MAX_PASSWORD} />
  );
}

export function CodeField(props: FieldProps): ReactElement {
  return (
    <Field
      {...props}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_CODE}
    />
  );
}
