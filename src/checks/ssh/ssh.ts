import { createPrivateKey } from "node:crypto";

import { z } from "zod";

import { type Outcome, failed, passed } from "../../domain/run/outcome.ts";
import type { Timings } from "../../domain/run/timings.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { type DialProgress, Interrupted, dial } from "../../kit/net/dial.ts";
import { type RunContext, defineCheckType } from "../check-type.ts";
import { type LineConnection, withLineConnection } from "../net/line-connection.ts";
import type { ConnectionTarget } from "../net/connection.ts";
import { evidenceText, maxEvidenceLength } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { textFault } from "../outcome/text-rule.ts";
import {
  contentString,
  host,
  invert,
  ipv6,
  password,
  portOr,
  username,
} from "../parameters/parameters.ts";
import { clientIdentification, identificationEnd } from "./identification.ts";
import { type Credentials, type SshLogin, logIn } from "./login.ts";
import { timingsOf } from "../outcome/timings.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { optional } from "../../schema/parameter.ts";
import { secret } from "../parameters/secrets.ts";
import { loadSsh2 } from "./load-ssh2.ts";

const MAX_KEY_LENGTH = 16_384;
/** Signing with a key of twice that length would block the main thread for most of a second. */
const MAX_RSA_BITS = 8192;

/** A key with a passphrase has PEM headers, or says so in its body. */
const ARMOUR =
  /^-----BEGIN (OPENSSH|RSA|EC) PRIVATE KEY-----\r?\n[\w+/=\r\n]+\n-----END \1 PRIVATE KEY-----$/;

export const privateKey = secret(
  optional(
    {
      description:
        "The private key for the login in place of `password`, in the format of OpenSSH or PEM, without a passphrase",
      jsonSchema: { type: "string", maxLength: MAX_KEY_LENGTH },
      expected: `must be a private key for SSH without a passphrase, of at most ${MAX_KEY_LENGTH} characters`,
      parse: (value) => (typeof value === "string" && isUsable(value.trim()) ? value : undefined),
    },
    undefined,
  ).register(formHints, {
    title: { en: "Private key", de: "Privater Schlüssel" },
    help: {
      de: "Der private Schlüssel für die Anmeldung anstelle von `password`, im Format von OpenSSH oder PEM, ohne Passphrase",
    },
    advanced: true,
  }),
);

function isUsable(key: string): boolean {
  if (!ARMOUR.test(key)) return false;
  try {
    const parsed = loadSsh2().utils.parseKey(key);
    if (parsed instanceof Error) return false;
    const { asymmetricKeyDetails } = createPrivateKey(parsed.getPrivatePEM());
    return (asymmetricKeyDetails?.modulusLength ?? 0) <= MAX_RSA_BITS;
  } catch {
    // Any error means that it is not a usable key.
    return false;
  }
}

export const sshCheck = defineCheckType({
  type: "SSH",
  title: { en: "SSH server", de: "SSH-Server" },
  group: "servers",
  summary: {
    en: "Connects to an SSH server, logs in if it has a user name and a password or a key, and passes if both succeed and the text is in the output: the banner and what a shell prints that exits at once, or without a login the server's identification",
    de: "Verbindet sich mit einem SSH-Server, meldet sich mit Benutzernamen und Passwort oder Schlüssel dort an, und besteht, wenn beides gelingt und der Text in der Ausgabe steht: im Banner und in dem, was eine Shell ausgibt, die sich sofort beendet, oder ohne Anmeldung in der Kennung des Servers",
  },
  target: "host",
  recognition: { ports: { 22: {} } },
  example: {
    target: "ssh.example.com",
    port: 22,
    username: "alice",
    password: "s3cret",
    contentstring: "Last login",
    invert: false,
    ipv6: false,
  },
  schema: z.object({
    target: host,
    port: portOr(22),
    username,
    password,
    sshkey: privateKey,
    contentstring: contentString,
    invert,
    ipv6,
  }),
  run({ target, port, ipv6, username, password, sshkey, ...rule }, context) {
    const call = { host: target, port, family: ipv6 ? 6 : undefined } as const;
    if (username === undefined || (password ?? sshkey) === undefined)
      return withLineConnection(call, context, (connection) =>
        readServerIdentification(connection, rule),
      );
    return logInAndSearch({ call, credentials: { username, password, sshkey }, rule }, context);
  },
});

interface Rule {
  readonly contentstring: string | undefined;
  readonly invert: boolean;
}

interface LoginCheck {
  readonly call: ConnectionTarget;
  readonly credentials: Credentials;
  readonly rule: Rule;
}

async function readServerIdentification(connection: LineConnection, rule: Rule): Promise<Outcome> {
  connection.writeLine(clientIdentification);
  let received = "";
  while (identificationEnd(received) === undefined) received += `${await connection.readLine()}\n`;
  const search = createSearch(rule.contentstring);
  search.read(received);
  return judge(rule, search) ?? passed("Connected", "Connected");
}

async function logInAndSearch(
  { call, credentials, rule }: LoginCheck,
  context: RunContext,
): Promise<Outcome> {
  const { signal, monotonic } = context;
  const start = monotonic();
  let progress: DialProgress | undefined;
  let response: Pick<Timings, "firstByte"> = {};
  let head: Uint8Array = Buffer.alloc(0);
  const search = createSearch(rule.contentstring);
  const login: SshLogin = {
    credentials,
    onIdentification(bytes) {
      response = { firstByte: monotonic() - start, ...response };
      head = bytes;
    },
    onOutput: search.read,
    needsMore: () => search.isFound() === false,
  };
  const session = async (): Promise<Outcome> => {
    const { socket, address } = await dial({
      ...call,
      ...context,
      onProgress: (made) => (progress = made),
    });
    try {
      const outcome = await unlessAborted(logIn(socket, login), signal);
      if (outcome === undefined) throw new Interrupted("answer", address);
      return outcome.passed ? (judge(rule, search) ?? outcome) : outcome;
    } finally {
      socket.destroy();
    }
  };
  const outcome = await session().catch(failureOf);
  return {
    ...outcome,
    ...(progress !== undefined && { address: progress.address }),
    evidence: evidenceText(Buffer.concat([head, Buffer.from(search.beginning())])),
    timings: timingsOf({ ...progress?.phases, ...response, total: monotonic() - start }, 0),
  };
}

/** Searches output that arrives in pieces, and keeps only its beginning. */
interface Search {
  readonly read: (piece: string) => void;
  /** Undefined if there is no text to look for. */
  readonly isFound: () => boolean | undefined;
  readonly beginning: () => string;
}

function createSearch(wanted: string | undefined): Search {
  let isFound = wanted === undefined ? undefined : false;
  let beginning = "";
  let end = "";
  return {
    read(piece) {
      beginning += piece.slice(0, maxEvidenceLength - beginning.length);
      if (wanted === undefined) return;
      const unread = end + piece;
      isFound ||= unread.includes(wanted);
      end = unread.slice(-wanted.length);
    },
    isFound: () => isFound,
    beginning: () => beginning,
  };
}

/** Undefined if there is no text to look for. */
function judge({ contentstring, invert }: Rule, search: Search): Outcome | undefined {
  const isFound = search.isFound();
  if (contentstring === undefined || isFound === undefined) return undefined;
  const [text, message] = isFound
    ? ["Content found", "Found content string in login reply"]
    : ["Content missing", "Content string not found in login reply"];
  return isFound === invert
    ? failed("mismatch", text, textFault({ contentstring, invert }))
    : passed(text, message);
}
