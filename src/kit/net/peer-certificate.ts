import type { PeerCertificate as NodeCertificate, TLSSocket } from "node:tls";

/** The details of a certificate that are stored and shown. */
export interface PeerCertificate {
  /** The common name or organization, or else the first alternative name. */
  readonly subject: string;
  readonly issuer: string;
  /** Ms since the epoch, as all instants. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** Returns the server's certificate; undefined if it sent none. */
export function peerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  const certificate = socket.getPeerCertificate();
  return "subject" in certificate ? readCertificate(certificate) : undefined;
}

type Readable = Pick<
  NodeCertificate,
  "subject" | "issuer" | "valid_from" | "valid_to" | "subjectaltname"
>;

export function readCertificate(certificate: Readable): PeerCertificate {
  return {
    subject: nameOf(certificate.subject) || (namesOf(certificate)[0] ?? ""),
    issuer: nameOf(certificate.issuer),
    validFrom: instantOf(certificate.valid_from),
    validTo: instantOf(certificate.valid_to),
  };
}

/** The host names and addresses of a certificate. Node quotes names with unusual characters; these match no host and are left out. */
export function namesOf({
  subject,
  subjectaltname,
}: Pick<Readable, "subject" | "subjectaltname">): readonly string[] {
  if (subjectaltname === undefined) return [nameOf(subject)];
  const names = /"(?:[^"\\]|\\.)*(?:"|$)|(?:^|, )(?:DNS|IP Address):([^",]+)/g;
  return [...subjectaltname.matchAll(names)].flatMap(([, name]) => name ?? []);
}

function nameOf({ CN, O }: NodeCertificate["subject"]): string {
  return [CN ?? O ?? ""].flat().join(", ");
}

/** An unreadable date counts as 1970, so that the certificate is expired. */
function instantOf(date: string): number {
  return Date.parse(date) || 0;
}
