import type { ReactElement } from "react";
import { Route, Switch } from "wouter";

import { ForgotPage } from "./forgot-page.tsx";
import { PasswordPage } from "./password-page.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignedIn } from "./signed-in.tsx";
import { StartPage } from "./start-page.tsx";
import { TwoFactorPage } from "./two-factor-page.tsx";

/** The pages on which people sign in, and change how they do. */
export function SignInPages(): ReactElement {
  return (
    <Switch>
      <Route path="/forgot" component={ForgotPage} />
      <Route path="/start" component={StartPage} />
      <Route path="/password">
        <SignedIn>
          <PasswordPage />
        </SignedIn>
      </Route>
      <Route path="/two-factor">
        <SignedIn>
          <TwoFactorPage />
        </SignedIn>
      </Route>
      <Route component={SignInPage} />
    </Switch>
  );
}
