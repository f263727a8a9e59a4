import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "../../src/kit/clock.ts";
import type { Certificate } from "./certificates.ts";

interface Wanted {
  readonly subject: string;
  /** As openssl writes them; without names it is for nobody. */
  readonly names?: string;
  /** Issuer; without one the certificate is self-signed. */
  readonly issuer?: Certificate;
  readonly authority?: boolean;
  readonly fromDay?: number;
  readonly toDay?: number;
  readonly rsaBits?: number;
  readonly digest?: "sha1" | "sha256";
  /** A key to use again, so that two certificates speak for one. */
  readonly key?: string;
}

const DAY_MS = 86_400_000;

const CONFIG = `
[ca]
default_ca = any
[any]
database = index
new_certs_dir = .
rand_serial = yes
unique_subject = no
policy = policy
copy_extensions = copyall
[policy]
commonName = supplied
[req]
distinguished_name = name
[name]
`;

/** Makes a certificate; the days are counted from today, and may be past. */
export function issue(wanted: Wanted): Certificate {
  const { subject, names, issuer, authority = false, fromDay = -1, toDay = 90 } = wanted;
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const openssl = (...args: readonly string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  };
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  try {
    write("config", CONFIG);
    write("index", "");
    if (wanted.key === undefined) openssl("genpkey", ...kindOf(wanted.rsaBits), "-out", "key.pem");
    else write("key.pem", wanted.key);
    const extensions = [
      ...(names === undefined ? [] : ["-addext", `subjectAltName=${names}`]),
      ...(authority ? ["-addext", "basicConstraints=critical,CA:TRUE"] : []),
    ];
    const request = ["-new", "-key", "key.pem", "-subj", `/CN=${subject}`, ...extensions];
    openssl("req", "-config", "config", ...request, "-out", "request.pem");
    write("issuer.key", issuer?.key ?? read("key.pem"));
    write("issuer.pem", issuer?.cert ?? "");
    const signer = issuer === undefined ? ["-selfsign"] : ["-cert", "issuer.pem"];
    const span = ["-startdate", dateOf(fromDay), "-enddate", dateOf(toDay)];
    const signing = [...signer, "-keyfile", "issuer.key", "-md", wanted.digest ?? "sha256"];
    const files = ["-in", "request.pem", "-out", "cert.pem", "-notext"];
    openssl("ca", "-batch", "-config", "config", ...signing, ...span, ...files);
    return { key: read("key.pem"), cert: read("cert.pem") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function kindOf(rsaBits: number | undefined): readonly string[] {
  return rsaBits === undefined
    ? ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    : ["-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${rsaBits}`];
}

function dateOf(day: number): string {
  const at = new Date(systemClock.now() + day * DAY_MS);
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
}
