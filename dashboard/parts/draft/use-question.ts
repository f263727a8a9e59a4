import { useSyncExternalStore } from "react";

import { currentQuestion, onQuestion, type Question } from "./leaving.ts";

/** The question whether to discard changes, while it is open. */
export function useQuestion(): Question | undefined {
  return useSyncExternalStore(onQuestion, currentQuestion);
}
