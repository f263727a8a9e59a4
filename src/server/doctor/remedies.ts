import { codeOf, messageOf } from "../../kit/errors.ts";
import { fileTrouble } from "../../kit/file-error.ts";

/** Advice by cause, for causes with the same remedy everywhere. */
const remedies: readonly (readonly [cause: RegExp, advice: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self-signed certificate|unable to (?:verify|get)/i,
    "if the certificate is the right one, trust its authority: NODE_EXTRA_CA_CERTS with its file in the environment of the service",
  ],
  [/CERT_HAS_EXPIRED|certificate has expired/i, "renew the certificate of that server"],
  [
    /ERR_TLS_CERT_ALTNAME|does not match certificate/i,
    "use the host name for which the certificate was issued",
  ],
  [/ENOSPC|disk is full|disk quota/i, "make room on that disk; docs/worst-day.md"],
  [/EROFS/, "mount that file system so that it can be written"],
  [/ENOTFOUND/, "correct the host name, or the name servers"],
];

/** The advice for what an error says, or else the one that is given. */
export function remedyFor(error: unknown, otherwise: string): string {
  const said = `${codeOf(error) ?? ""} ${messageOf(error)} ${fileTrouble(error)}`;
  return remedies.find(([cause]) => cause.test(said))?.[1] ?? otherwise;
}
