import type { Socket } from "node:net";
import { Duplex } from "node:stream";

import type { Algorithms, AnyAuthMethod, AuthHandlerMiddleware, ParsedKey } from "ssh2";

import { failed, passed, type Outcome } from "../../domain/run/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";
import { clientSoftware, identificationEnd } from "./identification.ts";
import { loadSsh2 } from "./load-ssh2.ts";
import { ignoreChannelErrors, openShell, readShell, type OutputListener } from "./shell.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string | undefined;
  /** Used in place of the password. */
  readonly sshkey: string | undefined;
}

export interface SshLogin extends OutputListener {
  readonly credentials: Credentials;
  /** Receives what the server sends before encryption. */
  readonly onIdentification: (head: Uint8Array) => void;
}

const ALGORITHMS: Algorithms = {
  // Without the group exchange methods: a server could choose a group of 8192 bits, and checking that it is prime blocks the main thread for 28 s.
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group14-sha256",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group18-sha512",
    "diffie-hellman-group14-sha1",
  ],
  compress: ["none"],
};

/**
 * Logs in over an open socket, and reads the output of a shell if more is needed. The caller destroys the socket. The host key is not verified,
 * because none is configured. What the server sends after a login attempt may repeat the password, and is never quoted.
 */
export async function logIn(socket: Socket, login: SshLogin): Promise<Outcome> {
  const { credentials, onIdentification, ...listener } = login;
  const client = new (loadSsh2().Client)();
  const loggedIn = passed("Logged in", "Logged in");
  let stage: "greeting" | "login" | "inside" | "shell" = "greeting";

  const outcome = await new Promise<Outcome>((resolve, reject) => {
    const refuse = (why = ""): void =>
      resolve(failed("auth", "Login failed", `Login failed${why}`));
    const runShell = async (): Promise<Outcome> => {
      const shell = await openShell(client);
      if (shell === undefined) return failed("status", "Error", "No shell was given");
      stage = "shell";
      await readShell(shell, listener);
      return loggedIn;
    };

    client.on("banner", listener.onOutput);
    client.on("change password", () => refuse(": the server wants a new password"));
    client.on("ready", () => {
      stage = "inside";
      if (listener.needsMore()) runShell().then(resolve, reject);
      else resolve(loggedIn);
    });
    client.on("error", (error) => {
      const isDisconnect = "code" in error && typeof error.code === "number";
      if (error.level === "client-socket") reject(error);
      else if (isDisconnect && stage === "greeting") resolve(refusal("Refused", error.message));
      else if (isDisconnect && stage === "login") refuse(": the server hung up");
      else if (stage === "greeting") reject(new ProtocolError(excerpt(error.message)));
      else if (!isDisconnect) reject(new ProtocolError("something that is not SSH"));
      // A disconnect after the login is handled on close.
    });
    client.on("close", () => {
      if (stage === "shell") resolve(loggedIn);
      else reject(connectionClosed());
    });

    const onTry = (): void => {
      stage = "login";
    };
    client.connect({
      sock: sshStream(socket, onIdentification),
      ident: clientSoftware,
      username: credentials.username,
      algorithms: ALGORITHMS,
      authHandler: singleAttempt(credentials, { onTry, refuse }),
      // No timer of the library: the run has its own deadline.
      readyTimeout: 0,
    });
    ignoreChannelErrors(client);
  });
  client.end();
  return outcome;
}

interface Attempt {
  readonly onTry: () => void;
  readonly refuse: (why?: string) => void;
}

/** Requests the server's methods, then tries the one that fits. A second attempt would only count as a second failed login. */
function singleAttempt(
  credentials: Credentials,
  { onTry, refuse }: Attempt,
): AuthHandlerMiddleware {
  const methods = authMethods(credentials);
  let asked = 0;
  return (accepted, isPartSuccess, next) => {
    asked += 1;
    const method = asked === 2 ? methods.find(({ type }) => accepted.includes(type)) : undefined;
    if (asked === 1) next("none");
    else if (isPartSuccess) refuse(": the server wants more than that");
    else if (asked > 2) refuse();
    else if (method === undefined)
      refuse(`: the server takes no ${credentials.sshkey === undefined ? "password" : "key"}`);
    else {
      onTry();
      next(method);
    }
  };
}

function authMethods({ username, password = "", sshkey }: Credentials): readonly AnyAuthMethod[] {
  if (sshkey !== undefined) return [{ type: "publickey", username, key: signingOnce(sshkey) }];
  return [
    { type: "password", username, password },
    {
      type: "keyboard-interactive",
      username,
      prompt: (...[, , , prompts, finish]) => finish(prompts.map(() => password)),
    },
  ];
}

/** A server may request any number of signatures, and each blocks the main thread: 3 ms with an RSA key of 4096 bits. */
function signingOnce(sshkey: string): ParsedKey {
  const key = loadSsh2().utils.parseKey(sshkey);
  if (key instanceof Error) throw key;
  const sign = key.sign.bind(key);
  let hasSigned = false;
  key.sign = (...what) => {
    if (hasSigned) throw new ProtocolError("asked for a second signature");
    hasSigned = true;
    return sign(...what);
  };
  return key;
}

const MAX_BYTES = 2 ** 20;

/** The stream that the SSH library uses in place of the socket. `onHead` gets what the server sends before encryption. */
function sshStream(socket: Socket, onHead: (head: Uint8Array) => void): Duplex {
  // The library writes many small packets, and Nagle's algorithm would delay each by up to 40 ms.
  socket.setNoDelay();
  const pieces = withWholeHead(socket, onHead);
  const stream = new Duplex({
    allowHalfOpen: false,
    read() {
      pieces.next().then(
        ({ value, done }) => stream.push(done === true ? null : value),
        (error: Error) => stream.destroy(error),
      );
    },
    write(data, _, done) {
      socket.write(data);
      done();
    },
    // Closes fully at the end of our output, because the server may never close.
    final: () => void stream.destroy(),
  });
  return stream;
}

/** The library misreads an identification that arrives in more than two pieces, and never stops reading one without an end. So it gets the identification in one piece. */
async function* withWholeHead(
  chunks: AsyncIterable<Buffer>,
  onHead: (head: Uint8Array) => void,
): AsyncGenerator<Buffer, void> {
  let received = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > MAX_BYTES) throw new ProtocolError(`more than ${MAX_BYTES} bytes`);
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    onHead(head);
    const end = identificationEnd(head.toString("latin1"));
    if (end === undefined) continue;
    onHead(head.subarray(0, end));
    yield head;
    head = undefined;
  }
  if (head !== undefined) throw connectionClosed();
}
