import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";

import { askWhoIsSignedIn } from "../api/query-client.ts";
import { SignInSteps } from "../pages/sign-in/sign-in-steps.tsx";
import { Dialog } from "../parts/dialog.tsx";
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
      // The content must not be visible to others after the session has ended.
      overlayProps={{ backgroundOpacity: 1, color: "var(--mantine-color-body)" }}
      zIndex={ABOVE_DIALOGS}
      title={text("signIn.again")}
    >
      <Stack>
        <Text>{text("signIn.againHint")}</Text>
        {email !== undefined && (
          <SignInSteps email={email} account={caller} onSignedIn={askWhoIsSignedIn} />
        )}
        <Anchor href="/signin" target="_blank">
          {text("signIn.otherWay")}
        </Anchor>
        <Anchor href="/signin">{text("signIn.somebodyElse")}</Anchor>
      </Stack>
    </Dialog>
  );
}
