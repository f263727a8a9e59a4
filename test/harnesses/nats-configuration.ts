import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** The configuration that is shipped, with these lines for its users, and without TLS unless its files are given. */
export async function shippedConfiguration(
  users: readonly string[],
  tls?: TlsFiles,
): Promise<string> {
  return withUsers(await shipped("nats-server.conf"), users, tls);
}

interface LeafPlace {
  readonly tls: TlsFiles;
  readonly leafPort: number;
  /** Host of the server that leaf nodes connect to; this machine by default. */
  readonly host?: string;
}

/** The same with the part for servers in regions, and its example of a user of a region. */
export async function shippedHub(
  users: readonly string[],
  { tls, leafPort, host = "127.0.0.1" }: LeafPlace,
): Promise<string> {
  const whole = (await shipped("nats-server.conf"))
    .replace(/^# leafnodes \{$[^]*?^# \}$/m, (part) => part.replaceAll(/^# ?/gm, ""))
    .replace(/^ *# \{ user: asia[^]*?\} \}$/m, (part) => part.replaceAll(/^ *# /gm, ""));
  return withUsers(whole, users, tls).replace("0.0.0.0:7422", `${host}:${leafPort}`);
}

/** The configuration that is shipped for a region. */
export async function shippedLeaf(
  users: readonly string[],
  { tls, leafPort, ca, host = "localhost" }: LeafPlace & { readonly ca: string },
): Promise<string> {
  const whole = await shipped("nats-leaf.conf");
  return withUsers(whole, users, tls)
    .replace("nats.example.com:7422", `${host}:${leafPort}`)
    .replace(/^ *# tls \{ ca_file: .*$/m, `tls { ca_file: ${JSON.stringify(ca)} }`);
}

function shipped(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, "../../deploy", name), "utf8");
}

function withUsers(text: string, users: readonly string[], tls: TlsFiles | undefined): string {
  const files =
    tls === undefined
      ? ""
      : `tls { cert_file: ${JSON.stringify(tls.certificate)}, key_file: ${JSON.stringify(tls.key)} }`;
  return text
    .replace(/^listen: .*$/m, "")
    .replaceAll(/^ *tls \{$[^}]*\}$/gm, files)
    .replace(/^.*# LOCATIONS:.*$/m, users.join("\n"));
}
