import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { api, ApiError, dataOf } from "../api/api.ts";
import { SESSION_KEY } from "../api/query-client.ts";
import { LoadError } from "../parts/load-error.tsx";
import { useText } from "../text.ts";
import { SessionContext } from "./session.ts";

const SESSION_STALE_MS = 60_000;
/** How soon a page that is seen finds out that its session has ended, where no stream of updates tells. */
const ASK_EVERY_MS = 10_000;

/** Shows the dashboard to who is signed in, and sends everybody else to sign in. */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactElement {
  const text = useText();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: () => dataOf(api.GET("/sessions/current")),
    staleTime: SESSION_STALE_MS,
    refetchInterval: ASK_EVERY_MS,
    refetchOnWindowFocus: "always",
  });
  const { data, error } = session;
  if (error instanceof ApiError && error.status === 403) return <SignInRedirect />;
  if (data !== undefined) return <SessionContext value={data}>{children}</SessionContext>;
  if (error !== null) return <LoadError error={error} retry={() => void session.refetch()} />;
  return (
    <Center h="100vh">
      <Loader aria-label={text("common.loading")} />
    </Center>
  );
}

/** Signing in is a page of the server; it leads back to where the reader was. */
function SignInRedirect(): null {
  const { pathname, search, hash } = location;
  const back = `${pathname}${search}${hash}`;
  location.replace(back === "/" ? "/signin" : `/signin?next=${encodeURIComponent(back)}`);
  return null;
}
