import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

import { codeOf, InvalidInput, messageOf } from "../../kit/errors.ts";

const FILES = { ca: "sslrootcert", cert: "sslcert", key: "sslkey" } as const;
export const TLS_PARAMETERS: readonly string[] = ["sslmode", ...Object.values(FILES)];

/**
 * `sslmode` as PostgreSQL's own client reads it, https://www.postgresql.org/docs/current/libpq-ssl.html: `require` encrypts, with
 * `sslrootcert` it is `verify-ca`, and `verify-full` also checks who answers. Without a mode nothing is encrypted. Throws
 * InvalidInput where a file cannot be read.
 */
export function tlsOf({ hostname, searchParams }: URL): ConnectionOptions | false {
  const mode = searchParams.get("sslmode") ?? "disable";
  if (mode === "disable") return false;
  const has = (name: string): boolean => searchParams.has(name);
  if (has(FILES.cert) !== has(FILES.key))
    throw new InvalidInput("the URL of the database: sslcert and sslkey need each other");
  const files = Object.entries(FILES).flatMap(([option, name]) => {
    const path = searchParams.get(name);
    return path === null ? [] : [[option, readPem(name, path)]];
  });
  const tls: ConnectionOptions = {
    ...Object.fromEntries(files),
    // The driver sets it only for names that are not addresses, and a different name than the requested one would match.
    host: hostname.replaceAll(/[[\]]/g, ""),
  };
  if (mode === "verify-full") return tls;
  if (mode === "require" && !has(FILES.ca)) return { ...tls, rejectUnauthorized: false };
  return { ...tls, checkServerIdentity: () => undefined };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InvalidInput(
      `the URL of the database: ${name} must be the path of a file in PEM that this process may read: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const NOT_TRUSTED = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
]);

/** Returns the remedy for a rejected certificate; undefined for other errors. */
export function certificateReason(error: unknown): string | undefined {
  const code = String(codeOf(error));
  if (NOT_TRUSTED.has(code))
    return `its certificate is not signed by the authority in sslrootcert, or by one that this system trusts where there is no sslrootcert (${messageOf(error)})`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `its certificate is for another name, which sslmode=verify-full refuses (${messageOf(error)})`;
  return undefined;
}
