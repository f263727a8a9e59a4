import type { PeerCertificate as NodeCertificate, TLSSocket } from "node:tls";

/** What is told of a certificate. */
export interface PeerCertificate {
  /** Or the first name that it is for, where it says nobody's. */
  readonly subject: string;
  readonly issuer: string;
  /** Ms since the epoch, as all instants. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** The server's own certificate; undefined where none was shown. */
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

/** The host names and addresses that a certificate is for. Node quotes a name in which it found something odd; such a name fits nothing, and is left out. */
export function namesOf({
  subject,
  subjectaltname,
}: Pick<Readable, "subject" | "subjectaltname">): readonly string[] {
  if (subjectaltname === undefined) return [nameOf(subject)];
  const names = /"(?:[^"\\]|\\.)*"|(?:^|, )(?:DNS|IP Address):([^",]+)/g;
  return [...subjectaltname.matchAll(names)].flatMap(([, name]) => name ?? []);
}

function nameOf({ CN, O }: NodeCertificate["subject"]): string {
  return [CN ?? O ?? ""].flat().join(", ");
}

/** A date that cannot be read is long past, so that it vouches for nothing. */
function instantOf(date: string): number {
  return Date.parse(date) || 0;
}
