import type { Socket } from "node:net";

import type { Algorithms, AnyAuthMethod, AuthHandlerMiddleware, ParsedKey } from "ssh2";

import { failed, passed } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { excerpt } from "../outcome/excerpt.ts";
import { refusal } from "../outcome/refusal.ts";
import { clientSoftware } from "./identification.ts";
import { loadSsh2 } from "./load-ssh2.ts";
import { ignoreChannelErrors, openShell, readShell } from "./shell.ts";
import type { OutputListener } from "./shell.ts";
import { sshStream } from "./stream.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string | undefined;
  /** Taken in place of the password. */
  readonly sshkey: string | undefined;
}

export interface Login extends OutputListener {
  readonly credentials: Credentials;
  /** Told what the server says before it speaks in secret. */
  readonly onIdentification: (head: Uint8Array) => void;
}

const ALGORITHMS: Algorithms = {
  // Without those in which the server chooses the group: to see that a number of 8192 bits is a prime takes the main thread 28 s.
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
 * Logs in over an open socket, which stays the caller's to destroy, and has a look round in a shell where there is more to be seen. Whose the
 * server is remains open, as nobody told us its key. What it says after a try to get in may repeat the password, and is not quoted.
 */
export async function logIn(socket: Socket, login: Login): Promise<Outcome> {
  const { credentials, onIdentification, ...spectator } = login;
  const client = new (loadSsh2().Client)();
  const loggedIn = passed("Logged in", "Logged in");
  let stage: "greeting" | "login" | "inside" | "shell" = "greeting";

  const outcome = await new Promise<Outcome>((resolve, reject) => {
    const refuse = (why = ""): void =>
      resolve(failed("auth", "Login failed", `Login failed${why}`));
    const lookRound = async (): Promise<Outcome> => {
      const shell = await openShell(client);
      if (shell === undefined) return failed("status", "Error", "No shell was given");
      stage = "shell";
      await readShell(shell, spectator);
      return loggedIn;
    };

    client.on("banner", spectator.onOutput);
    client.on("change password", () => refuse(": the server wants a new password"));
    client.on("ready", () => {
      stage = "inside";
      if (spectator.needsMore()) lookRound().then(resolve, reject);
      else resolve(loggedIn);
    });
    client.on("error", (error) => {
      const isFarewell = "code" in error && typeof error.code === "number";
      if (error.level === "client-socket") reject(error);
      else if (isFarewell && stage === "greeting") resolve(refusal("Refused", error.message));
      else if (isFarewell && stage === "login") refuse(": the server hung up");
      else if (stage === "greeting") reject(new ProtocolError(excerpt(error.message)));
      else if (!isFarewell) reject(new ProtocolError("something that is not SSH"));
      // After a farewell within it closes, and that is told there.
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
      authHandler: oneWayIn(credentials, { onTry, refuse }),
      // No timer: the run has a deadline.
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

/** Asks what the server takes, then tries the one way in that fits: a second would only count as a second failure there. */
function oneWayIn(credentials: Credentials, { onTry, refuse }: Attempt): AuthHandlerMiddleware {
  const ways = waysIn(credentials);
  let asked = 0;
  return (taken, isPartSuccess, next) => {
    asked += 1;
    const way = asked === 2 ? ways.find(({ type }) => taken.includes(type)) : undefined;
    if (asked === 1) next("none");
    else if (isPartSuccess) refuse(": the server wants more than that");
    else if (asked > 2) refuse();
    else if (way === undefined)
      refuse(`: the server takes no ${credentials.sshkey === undefined ? "password" : "key"}`);
    else {
      onTry();
      next(way);
    }
  };
}

function waysIn({ username, password = "", sshkey }: Credentials): readonly AnyAuthMethod[] {
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

/** A server may ask for signatures without an end, and each takes the main thread: 3 ms with an RSA key of 4096 bits. */
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
