import type { Mute } from "../../domain/contact/mute.ts";
import type { Call } from "../http/auth.ts";

/** Warns of a mute that is over as it is sent, such as one in seconds. */
export function warnOfEndedMute(
  {
    sent,
    known,
    now,
  }: { readonly sent: Mute | undefined; readonly known: Mute; readonly now: number },
  warn: Call["warn"],
): void {
  if (typeof sent === "number" && sent !== known && sent <= now)
    warn("mute: the end is in the past, in ms since 1970, so nothing is muted", "grave");
}
