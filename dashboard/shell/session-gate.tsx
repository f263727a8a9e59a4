import { Center, Loader, Overlay } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  lazy,
  Suspense,
  useEffect,
  useRef,
  type ComponentType,
  type ReactElement,
  type ReactNode,
} from "react";

import { chooseAccount } from "../api/account-choice.ts";
import { api, ApiError, dataOf } from "../api/api.ts";
import { SESSION_KEY } from "../api/query-client.ts";
import { resumeRequests } from "../api/session-end.ts";
import { forgetDrafts } from "../parts/draft/kept-drafts.ts";
import { discard } from "../parts/draft/leaving.ts";
import { isFormOpen } from "../parts/form-open.ts";
import { LoadError } from "../parts/load-error.tsx";
import { loadSignInTexts, useText } from "../text.ts";
import { SessionContext, type Session } from "./session.ts";
import { SignInRedirect } from "./sign-in-redirect.ts";

const SESSION_STALE_MS = 60_000;
/** How soon a page that is seen finds out that its session has ended, where no stream of updates says so. */
const ASK_INTERVAL_MS = 10_000;

/** The first screen is small: the dialog is loaded when a session ends. Where it cannot be, there is the page. */
const SignInAgain = lazy<ComponentType<{ readonly session: Session }>>(async () => {
  try {
    await loadSignInTexts();
    const { SignInAgain } = await import("./sign-in-again.tsx");
    return { default: SignInAgain };
  } catch {
    return { default: SignInRedirect };
  }
});

/** Shows the dashboard to who is signed in, and sends everybody else to sign in. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactElement {
  const text = useText();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: () => dataOf(api.GET("/sessions/current")),
    staleTime: SESSION_STALE_MS,
    refetchInterval: ASK_INTERVAL_MS,
    refetchOnWindowFocus: "always",
  });
  const { data, error } = session;
  const hasEnded = error instanceof ApiError && error.status === 403;
  useSamePerson(hasEnded ? undefined : data);
  useEscapeHeld(hasEnded);
  if (hasEnded && (data === undefined || !isFormOpen())) return <SignInRedirect />;
  if (data !== undefined)
    return (
      <SessionContext value={data}>
        {children}
        {hasEnded && (
          <Suspense
            fallback={<Overlay fixed backgroundOpacity={1} color="var(--mantine-color-body)" />}
          >
            <SignInAgain session={data} />
          </Suspense>
        )}
      </SessionContext>
    );
  if (error !== null) return <LoadError error={error} retry={() => void session.refetch()} />;
  return (
    <Center h="100vh">
      <Loader aria-label={text("common.loading")} />
    </Center>
  );
}

/** Continues only if the same person signs in again, because the content is private. */
function useSamePerson(current: Session | undefined): void {
  const first = useRef<Session>(undefined);
  useEffect(() => {
    if (current === undefined) return;
    first.current ??= current;
    forgetDrafts(current);
    const { contact, caller } = first.current;
    if (current.contact === contact && current.caller === caller) resumeRequests();
    else {
      discard();
      chooseAccount(undefined);
    }
  }, [current]);
}

/** Escape would close a dialog below the one that asks to sign in, with what was entered there. */
function useEscapeHeld(isHeld: boolean): void {
  const held = useRef(false);
  useEffect(() => {
    held.current = isHeld;
  }, [isHeld]);
  useEffect(() => {
    const hold = (event: KeyboardEvent): void => {
      if (held.current && event.key === "Escape") event.stopImmediatePropagation();
    };
    // Before any dialog is there: those that listen at the window too are called after this.
    window.addEventListener("keydown", hold, { capture: true });
    return () => window.removeEventListener("keydown", hold, { capture: true });
  }, []);
}
