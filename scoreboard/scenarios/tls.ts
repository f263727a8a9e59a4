import type { Failure, SiteAddress, Scenario } from "../scenario.ts";

const verified = ({ name }: SiteAddress): ReturnType<Scenario["probe"]> => ({
  kind: "http",
  url: `https://${name}/`,
  verifyTls: true,
});
const shown = ({ name }: SiteAddress): ReturnType<Scenario["probe"]> => ({
  kind: "tls",
  host: name,
  port: 443,
  warnDays: 14,
});

interface Row {
  readonly name: string;
  readonly breaks: string;
  readonly failure: Failure;
  readonly words: RegExp;
  readonly probe?: Scenario["probe"];
}

const rows: readonly Row[] = [
  {
    name: "tls-expired",
    breaks: "The certificate has expired.",
    failure: { kind: "certificate", fault: "expired" },
    words: /expired/i,
  },
  {
    name: "tls-not-yet-valid",
    breaks: "The certificate is valid from tomorrow on.",
    failure: { kind: "certificate", fault: "not-yet-valid" },
    words: /not yet valid|not valid (before|yet|until)|valid from|future/i,
  },
  {
    name: "tls-wrong-host",
    breaks: "The certificate is for another name.",
    failure: { kind: "certificate", fault: "wrong-host" },
    words:
      /host ?name|altname|another name|not (valid )?for|mismatch|does not match|doesn't match/i,
  },
  {
    name: "tls-self-signed",
    breaks: "The certificate is signed by itself.",
    failure: { kind: "certificate", fault: "self-signed" },
    words: /self.?signed|unknown authority|not trusted|untrusted/i,
  },
  {
    name: "tls-unknown-authority",
    breaks: "Nobody trusts the authority that signed the certificate.",
    failure: { kind: "certificate", fault: "unknown-authority" },
    words: /issuer|unknown (authority|ca)|not trusted|untrusted|authority/i,
  },
  {
    name: "tls-old-version",
    breaks: "The server speaks TLS 1.0 only.",
    failure: { kind: "tls", how: "old-version" },
    words: /version|protocol|TLS ?v?1\.0/i,
  },
  {
    name: "tls-cut-handshake",
    breaks: "The server closes the connection within the handshake.",
    failure: { kind: "tls", how: "cut-handshake" },
    words: /handshake|closed|reset|EOF|connection|SSL|TLS/i,
  },
  {
    name: "certificate-ends-soon",
    breaks: "The certificate ends in three days, and two weeks are wanted.",
    failure: { kind: "certificate", fault: "ends-soon" },
    words: /expire|days|valid (until|for)|remaining/i,
    probe: shown,
  },
  {
    name: "certificate-expired",
    breaks: "The certificate has expired.",
    failure: { kind: "certificate", fault: "expired" },
    words: /expired/i,
    probe: shown,
  },
];

/** Certificates and handshakes. */
export const tlsScenarios: readonly Scenario[] = rows.map(
  ({ name, breaks, failure, words, probe = verified }) => ({
    name,
    breaks,
    failure,
    probe,
    words: [words],
    service: "https",
    pattern: { kind: "outage" },
    expects: "must",
  }),
);
