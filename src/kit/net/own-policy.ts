import { percentDecode } from "../http/percent-decode.ts";
import type { OwnPolicy } from "./egress.ts";
import type { OwnListener } from "./own-listener.ts";

/** An alert sent to this installation may change something that causes the next alert. */
export function alertsToItself(listener: OwnListener): OwnPolicy {
  return { listener, refusal: () => "alerts are never sent to this installation itself" };
}

/** Checks may watch its pages and its health; a call of the API can run the same check again at once. */
export function checksOfItself(listener: OwnListener): OwnPolicy {
  return {
    listener,
    refusal: (path) =>
      // guard: commands of this installation = else
      path !== undefined && isCommand(path)
        ? "checks never call the API or the heartbeats of this installation itself"
        : undefined,
  };
}

/** Router and heartbeats read encoded paths and upper case alike. */
function isCommand(path: string): boolean {
  return /^\/*(?:api|v1)(?:\/|$)/i.test(percentDecode(path));
}
