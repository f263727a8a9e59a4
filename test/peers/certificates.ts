import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { PeerCertificate } from "../../src/kit/net/peer-certificate.ts";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Returns the facts read from a peer with this certificate. */
export function certificateFacts({ cert }: Certificate): PeerCertificate {
  const { subject, issuer, validFromDate, validToDate } = new X509Certificate(cert);
  return {
    subject: subject.replace(/^CN=/, ""),
    issuer: issuer.replace(/^CN=/, ""),
    validFrom: validFromDate.getTime(),
    validTo: validToDate.getTime(),
  };
}

/** Creates a new self-signed certificate for localhost and 127.0.0.1. */
export function selfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const key = join(folder, "key.pem");
  const cert = join(folder, "cert.pem");
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const kind = [
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  try {
    execFileSync(
      "openssl",
      ["req", ...kind, "-subj", "/CN=localhost", "-addext", names, "-keyout", key, "-out", cert],
      { stdio: "pipe" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
