import { dropReasons } from "../../locales/en/drop-reasons.ts";

/** A reason that there is a sentence for. */
export function dropReasonOf(reason: string): keyof typeof dropReasons | undefined {
  return isDropReason(reason) ? reason : undefined;
}

function isDropReason(reason: string): reason is keyof typeof dropReasons {
  return Object.hasOwn(dropReasons, reason);
}
