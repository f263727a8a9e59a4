import { Anchor, Button, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { oidcProblems, PROBLEM_PARAMETER } from "../../../src/domain/account/oidc-problem.ts";
import { localPath } from "../../../src/domain/dashboard-paths.ts";
import type { operations } from "../../api/schema.ts";
import { ForeignText } from "../../parts/foreign-text.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import type { Session } from "../../shell/session.ts";
import { signOut } from "../../shell/sign-out.ts";
import { useText } from "../../text.ts";
import { Layout } from "./layout.tsx";
import { SignInSteps } from "./sign-in-steps.tsx";
import { useCurrentSession, Waiting } from "./signed-in.tsx";
import { Problem } from "./step-form.tsx";
import { useOffers } from "./use-offers.ts";

/** Signs people in, or shows who is. */
export function SignInPage(): ReactElement {
  const { data: session, isPending } = useCurrentSession();
  if (isPending) return <Waiting />;
  return session ? <AlreadySignedIn session={session} /> : <SignInForm />;
}

function SignInForm(): ReactElement {
  const text = useText();
  const { data: offers } = useOffers();
  const [isPending, setIsPending] = useState(false);
  const query = new URLSearchParams(location.search);
  const next = localPath(query.get("next"));
  const account = query.get("account") ?? undefined;
  const problem = oidcProblems.find((word) => word === query.get(PROBLEM_PARAMETER));
  return (
    <Layout title={text(isPending ? "signIn.oneMoreStep" : "signIn.title")}>
      {problem !== undefined && !isPending && <Problem>{text(providerTexts[problem])}</Problem>}
      <SignInSteps
        account={account}
        onSignedIn={() => location.assign(next ?? "/")}
        onPending={setIsPending}
      />
      {isPending && <Anchor href={`/signin${location.search}`}>{text("signIn.beginAgain")}</Anchor>}
      {!isPending && offers?.mail === true && (
        <Anchor href="/forgot">{text("signIn.forgot")}</Anchor>
      )}
      {!isPending && offers?.provider !== undefined && (
        <Button
          component="a"
          variant="default"
          href={addressAt(offers.provider, { next, account })}
        >
          {visibleText(offers.provider.label)}
        </Button>
      )}
    </Layout>
  );
}

const providerTexts = {
  busy: "signIn.providerBusy",
  unavailable: "signIn.providerUnavailable",
  ended: "signIn.providerEnded",
  refused: "signIn.providerRefused",
  invalid: "signIn.providerInvalid",
  unverified: "signIn.providerUnverified",
  unknown: "signIn.providerUnknown",
} as const;

type Offers = operations["getSignin"]["responses"][200]["content"]["application/json"];

/** The public address, to which the provider leads back. */
function addressAt(
  { url }: NonNullable<Offers["provider"]>,
  wanted: Readonly<Record<"next" | "account", string | undefined>>,
): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(wanted))
    if (value !== undefined) address.searchParams.set(name, value);
  return address.href;
}

function AlreadySignedIn({ session }: { readonly session: Session }): ReactElement {
  const text = useText();
  const { name, customer_name: account } = session;
  return (
    <Layout title={text("signIn.signedIn")}>
      <ForeignText>{text("signIn.signedInAs", { name, account })}</ForeignText>
      <Button component="a" href="/">
        {text("signIn.openDashboard")}
      </Button>
      <Anchor href="/password">{text("signIn.changePassword")}</Anchor>
      <Anchor href="/two-factor">{text("signIn.twoFactor")}</Anchor>
      <Text component="div">
        <Button variant="default" onClick={signOut}>
          {text("signIn.signOut")}
        </Button>
      </Text>
    </Layout>
  );
}
