import { QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api.ts";
import { sessionEnd } from "./session-end.ts";

/** The query that says who is signed in. */
export const SESSION_KEY = ["session"] as const;

const MAX_RETRIES = 2;

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A browser that has no network may still reach a service nearby; and who asks learns at once that it cannot.
      networkMode: "always",
      staleTime: 15_000,
      retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
    },
    mutations: { networkMode: "always" },
  },
});

sessionEnd.addEventListener("ended", () => void askWhoIsSignedIn());

/** For whatever a session that has ended may be the reason of. */
export function askWhoIsSignedIn(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: SESSION_KEY });
}

/** Returns whether the same request may succeed in a moment. */
function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}
