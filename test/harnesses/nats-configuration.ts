import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The configuration that is shipped, with these lines for its users, and without TLS unless its files are given. */
export async function shippedConfiguration(
  users: readonly string[],
  tls?: { readonly certificate: string; readonly key: string },
): Promise<string> {
  const path = join(import.meta.dirname, "../../deploy/nats-server.conf");
  const files =
    tls === undefined
      ? ""
      : `tls { cert_file: ${JSON.stringify(tls.certificate)}, key_file: ${JSON.stringify(tls.key)} }`;
  return (await readFile(path, "utf8"))
    .replace(/^listen: .*$/m, "")
    .replace(/^tls \{[^}]*\}$/m, files)
    .replace(/^.*# LOCATIONS:.*$/m, users.join("\n"));
}
