import { createContext, use, useCallback } from "react";

import type { components } from "../api/schema.ts";

export type Session = components["schemas"]["CurrentSession"];

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the current session. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("nobody is signed in");
  return session;
}

const accesses = ["view", "edit", "owner"] as const;

export type Access = (typeof accesses)[number];

/** Whether who is signed in may do what needs an access; the server decides all the same. */
export function useAccess(): (needed: Access) => boolean {
  const { access } = useSession();
  return useCallback((needed) => accesses.indexOf(access) >= accesses.indexOf(needed), [access]);
}

export function useMay(needed: Access): boolean {
  return useAccess()(needed);
}
