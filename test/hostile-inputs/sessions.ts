import { checkTypeOf } from "../../src/checks/registry.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import {
  at,
  dnsQuestion,
  page,
  withLogin,
  type ParametersAt,
} from "../checks/target-parameters.ts";
import { tcpPeer } from "../peers/tcp.ts";
import type { Parser } from "./parsers.ts";

/** As much as a conversation may have, and more. */
const CONVERSATION = 2 ** 20 + 2 ** 16;
/** Size above that of an HTTP response head. */
const HEAD = 2 ** 17;

interface Session {
  readonly parameters: ParametersAt;
  readonly longest: number;
  /** Everything that a target sends, before it receives anything. */
  readonly examples: readonly string[];
}

const sessions: Readonly<Record<string, Session>> = {
  DNS: {
    parameters: (peer) => ({ ...at(peer), ...dnsQuestion, transport: "tcp" }),
    longest: HEAD,
    examples: ["\xff\xff\0\x01\x81\x80\0\x01"],
  },
  FTP: {
    parameters: withLogin,
    longest: CONVERSATION,
    examples: ["220-a\r\n220 b\r\n", "220 a\r\n331 b\r\n230-c\r\n230 d\r\n"],
  },
  HTTP: {
    parameters: page,
    longest: HEAD,
    examples: ["HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n c\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"],
  },
  IMAP4: {
    parameters: withLogin,
    longest: CONVERSATION,
    examples: [
      "* OK a\r\n* CAPABILITY IMAP4rev1 LOGINDISABLED\r\nb OK c\r\nc NO [UNAVAILABLE] d\r\n",
      "* CAPABILITY LOGIN\r\n",
    ],
  },
  MYSQL: {
    parameters: withLogin,
    longest: CONVERSATION,
    examples: [
      "\x4a\0\0\0\x0a8.4.3\0\x01\0\0\0abcdefgh\0\xff\xff\x2d\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0",
      "\x01\0\0\x02\x01",
    ],
  },
  POP3: {
    parameters: withLogin,
    longest: CONVERSATION,
    examples: ["+OK a\r\n", "+OK\r\n+OK\r\n-ERR b\r\n"],
  },
  PORT: { parameters: at, longest: CONVERSATION, examples: ["a\r\n"] },
  RDP: {
    parameters: at,
    longest: CONVERSATION,
    examples: [
      "\x03\0\0\x13\x0e\xd0\0\0\x12\x34\0\x02\0\x08\0\x02\0\0\0",
      "\x03\0\xff\xff\x0e\xd0",
    ],
  },
  SIP: {
    parameters: (peer) => ({ ...at(peer), transport: "tcp" }),
    longest: CONVERSATION,
    examples: [
      "SIP/2.0 200 OK\r\nVia: a\r\n b\r\nContent-Length: 9999999\r\n\r\n",
      "\r\n",
      "A: b\r\n",
    ],
  },
  SMTP: {
    parameters: (peer) => ({ ...withLogin(peer), email: "bob@example.com" }),
    longest: CONVERSATION,
    examples: ["220 a\r\n250-b\r\n250-AUTH LOGIN PLAIN\r\n250 c\r\n", "250-AUTH A \r\n"],
  },
  SSH: {
    parameters: withLogin,
    longest: CONVERSATION,
    examples: ["hello\r\nSSH-2.0-a b\r\n", "SSH-2.0-a\r\n\0\0\x01\x0c\x0a\x14"],
  },
  SSL: {
    parameters: at,
    longest: CONVERSATION,
    examples: ["\x16\x03\x03\0\x31\x02\0\0\x2d\x03\x03", "\x15\x03\x03\0\x02\x01\0"],
  },
};

/** Whole runs, each at a target that says a text and ends the connection. */
export async function openSessions(): Promise<
  AsyncDisposable & { readonly parsers: readonly Parser[] }
> {
  let said = Buffer.alloc(0);
  const peer = await tcpPeer((socket) => socket.end(said));
  const egress = createEgress({ mode: "private", resolver: createResolver() });
  const parsers = Object.entries(sessions).map(([type, { parameters, ...texts }]): Parser => {
    const checkType = checkTypeOf(type);
    if (checkType?.driver !== "probe") throw new Error(`no probe runs ${type}`);
    const prepared = checkType.prepare(parameters(peer));
    return {
      name: `a session of ${type}`,
      types: [type],
      ...texts,
      parse(text) {
        said = Buffer.from(text, "latin1");
        const { signal } = new AbortController();
        return prepared.run({
          ...systemClock,
          signal,
          egress,
          timeoutMs: 5000,
          accountId: "alice",
        });
      },
    };
  });
  return { parsers, [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() };
}
