import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement, type ReactNode } from "react";

import { dataOf } from "../../api/api.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import type { components } from "../../api/schema.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Instant } from "../../parts/records/instant.tsx";
import { useText } from "../../text.ts";
import { AppEnrolment, type NewApp } from "./app-enrolment.tsx";
import { BackLink, Layout } from "./layout.tsx";
import { NewPasskeyForm, type NewPasskey } from "./new-passkey-form.tsx";
import { knowsPasskeys } from "./passkey.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { Waiting } from "./signed-in.tsx";
import { PasswordField, Problem, problemOf } from "./step-form.tsx";
import { useOffers } from "./use-offers.ts";

const FACTORS_KEY = ["second factors"] as const;

/** What is shown in place of the list: what a step answered. */
type View =
  | { readonly app: NewApp }
  | { readonly passkey: NewPasskey }
  | { readonly codes: readonly string[] };

/** Adds and removes the second factors of who is signed in. */
export function TwoFactorPage(): ReactElement {
  const client = useQueryClient();
  const [view, setView] = useState<View>();
  const added = async ({ codes }: { readonly codes?: readonly string[] }): Promise<void> => {
    await client.invalidateQueries({ queryKey: FACTORS_KEY });
    setView(codes && { codes });
  };
  const begin = (): void => setView(undefined);
  if (view === undefined) return <SecondFactors show={setView} />;
  if ("codes" in view) return <RecoveryCodes codes={view.codes} />;
  return "app" in view ? (
    <AppEnrolment app={view.app} added={added} begin={begin} />
  ) : (
    <NewPasskeyForm passkey={view.passkey} added={added} begin={begin} />
  );
}

type Factors = components["schemas"]["SecondFactors"];
/** Sends what a person wants changed; what it answers is shown in place of the list. */
type Change = () => Promise<View | undefined>;
type ActionOf = (change: Change) => { readonly disabled: boolean; readonly onClick: () => void };

/** What can be changed by the password. */
function changesBy(password: string) {
  const body = { password };
  return {
    app: async () => ({ app: await dataOf(visitorApi.POST("/signin/app", { body })) }),
    removeApp: async () => {
      await dataOf(visitorApi.POST("/signin/removeapp", { body }));
      return undefined;
    },
    codes: () => dataOf(visitorApi.POST("/signin/codes", { body })),
    passkey: async () => ({ passkey: await dataOf(visitorApi.POST("/signin/passkey", { body })) }),
    removePasskey: (passkey: string) => async () => {
      await dataOf(visitorApi.POST("/signin/removepasskey", { body: { ...body, passkey } }));
      return undefined;
    },
  };
}

function SecondFactors({ show }: { readonly show: (view: View) => void }): ReactElement {
  const text = useText();
  const { data, error, refetch } = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: () => dataOf(visitorApi.GET("/secondfactors")),
  });
  const [password, setPassword] = useState("");
  const step = useMutation({
    mutationFn: (change: Change) => change(),
    async onSuccess(view) {
      await refetch();
      if (view !== undefined) show(view);
    },
    // The session may have ended.
    onError: askWhoIsSignedIn,
  });
  if (error !== null) return <LoadError error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const sections = {
    factors: data,
    changes: changesBy(password),
    actionOf: (change: Change) => ({
      disabled: step.isPending,
      onClick: () => step.mutate(change),
    }),
  };
  const isOn = data.totp !== false || data.passkeys.length > 0;
  return (
    <Layout title={text("signIn.twoFactor")}>
      {!isOn && <Text>{text("signIn.passwordAlone")}</Text>}
      <form onSubmit={(event) => event.preventDefault()}>
        <Stack>
          <PasswordField
            label={text("signIn.yourPassword")}
            value={password}
            set={setPassword}
            autoFocus
          />
          {step.error !== null && !step.isPending && (
            <Problem>{problemOf(step.error, refusals, { text })}</Problem>
          )}
          <AppSection {...sections} />
          <PasskeySection {...sections} />
          {isOn && <CodesSection {...sections} />}
        </Stack>
      </form>
      <BackLink />
    </Layout>
  );
}

interface SectionsProps {
  readonly factors: Factors;
  readonly changes: ReturnType<typeof changesBy>;
  readonly actionOf: ActionOf;
}

function AppSection({ factors: { totp }, changes, actionOf }: SectionsProps): ReactElement {
  const text = useText();
  return (
    <Section title={text("signIn.app")}>
      {totp === false ? (
        <>
          <Text>{text("signIn.appOff")}</Text>
          <Button {...actionOf(changes.app)}>{text("signIn.setUpApp")}</Button>
        </>
      ) : (
        <>
          <Text>
            {text("signIn.appOn")} <Instant at={totp} />
          </Text>
          <Button color="red" variant="outline" {...actionOf(changes.removeApp)}>
            {text("signIn.turnOffApp")}
          </Button>
        </>
      )}
    </Section>
  );
}

function PasskeySection({
  factors: { passkeys },
  changes,
  actionOf,
}: SectionsProps): ReactElement | null {
  const text = useText();
  const { data: offers } = useOffers();
  const canAdd = offers?.passkeys === true && knowsPasskeys;
  if (!canAdd && passkeys.length === 0) return null;
  return (
    <Section title={text("signIn.passkeys")}>
      {passkeys.length === 0 && <Text>{text("signIn.noPasskeys")}</Text>}
      {passkeys.map((passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          action={actionOf(changes.removePasskey(passkey.id))}
        />
      ))}
      {canAdd && (
        <Button variant="default" {...actionOf(changes.passkey)}>
          {text("signIn.addPasskey")}
        </Button>
      )}
    </Section>
  );
}

function CodesSection({
  factors: { recoverycodes: count },
  changes,
  actionOf,
}: SectionsProps): ReactElement {
  const text = useText();
  return (
    <Section title={text("signIn.codes")}>
      <Text>{text(count <= FEW_CODES ? "signIn.fewCodes" : "signIn.codesLeft", { count })}</Text>
      <Button variant="default" {...actionOf(changes.codes)}>
        {text("signIn.renewCodes")}
      </Button>
    </Section>
  );
}

/** A reader is to replace them when few are left. */
const FEW_CODES = 3;
const refusals = {
  400: "signIn.wrongOwnPassword",
  403: "signIn.wrongOwnPassword",
  409: "signIn.changedMeanwhile",
} as const;

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Section({ title, children }: SectionProps): ReactElement {
  return (
    <Stack component="section" align="flex-start" gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface PasskeyProps {
  readonly passkey: Factors["passkeys"][number];
  readonly action: ReturnType<ActionOf>;
}

function PasskeyRow({ passkey, action }: PasskeyProps): ReactElement {
  const text = useText();
  const { label, created, used } = passkey;
  return (
    <Group justify="space-between" w="100%">
      <div>
        <Text fw={600}>
          <ForeignText>{label}</ForeignText>
        </Text>
        <Text size="sm" c="dimmed">
          {text("signIn.passkeyAdded")} <Instant at={created} />
          {used !== false && (
            <>
              {" · "}
              {text("signIn.passkeyUsed")} <Instant at={used} />
            </>
          )}
        </Text>
      </div>
      <Button size="xs" color="red" variant="outline" {...action}>
        {text("signIn.removePasskey", { label })}
      </Button>
    </Group>
  );
}
