import { QueryCache, QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api.ts";

/** The query that says who is signed in. */
export const SESSION_KEY = ["session"] as const;

const MOST_RETRIES = 2;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended is refused like one that is not allowed: who is signed in says which.
    onError(error, query) {
      if (isRefused(error) && query.queryKey[0] !== SESSION_KEY[0]) void askWhoIsSignedIn();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < MOST_RETRIES && isTransient(error),
    },
  },
});

/** For whatever a session that has ended may be the reason of. */
export function askWhoIsSignedIn(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: SESSION_KEY });
}

function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** Whether the same request may succeed in a moment. */
function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
