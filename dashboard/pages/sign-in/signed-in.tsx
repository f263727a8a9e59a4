import { Center, Loader } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";

import { ApiError, dataOf } from "../../api/api.ts";
import { SESSION_KEY } from "../../api/query-client.ts";
import { visitorApi } from "../../api/sign-in.ts";
import { LoadError } from "../../parts/load-error.tsx";
import { SessionContext, type Session } from "../../shell/session.ts";
import { SignInRedirect } from "../../shell/sign-in-redirect.ts";
import { useText } from "../../text.ts";

/** Who is signed in in the browser; null where nobody is. */
export function useCurrentSession(): UseQueryResult<Session | null> {
  return useQuery({
    queryKey: SESSION_KEY,
    async queryFn() {
      try {
        return await dataOf(visitorApi.GET("/sessions/current"));
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return null;
        throw error;
      }
    },
  });
}

/** What only who is signed in may see; everybody else is sent to sign in. */
export function SignedIn({ children }: { readonly children: ReactNode }): ReactElement {
  const { data, error, refetch } = useCurrentSession();
  if (data === null) return <SignInRedirect />;
  if (data !== undefined) return <SessionContext value={data}>{children}</SessionContext>;
  if (error !== null) return <LoadError error={error} retry={() => void refetch()} />;
  return <Waiting />;
}

export function Waiting(): ReactElement {
  const text = useText();
  return (
    <Center h="100vh">
      <Loader aria-label={text("common.loading")} />
    </Center>
  );
}
