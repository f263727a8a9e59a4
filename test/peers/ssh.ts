import type { Socket } from "node:net";

import ssh2, { type AuthContext, type Connection, type ServerConfig, type Session } from "ssh2";

import { sshKey } from "./ssh-key.ts";
import type { SocketHandler } from "./tcp.ts";

/** Behavior of a server for a connection; by default it lets everyone in. */
export interface SshServerOptions {
  readonly config?: Omit<ServerConfig, "hostKeys">;
  readonly onHandshake?: (client: Connection) => void;
  readonly onAttempt?: (attempt: AuthContext, client: Connection) => void;
  /** Undefined where it gives none. */
  readonly onSession?: ((session: Session, client: Connection) => void) | undefined;
}

const hostKeys = [sshKey().privateKey];

export function ssh({ config = {}, ...manner }: SshServerOptions = {}): SocketHandler {
  const server = new ssh2.Server({ ...config, hostKeys }, (client) => {
    client.on("error", () => {});
    client.once("handshake", () => manner.onHandshake?.(client));
    client.on("authentication", (attempt) => {
      if (manner.onAttempt !== undefined) manner.onAttempt(attempt, client);
      else if (attempt.method === "none") attempt.reject(["publickey", "password"]);
      else attempt.accept();
    });
    client.on("session", (accept, reject) => {
      if (manner.onSession === undefined) reject();
      else manner.onSession(accept(), client);
    });
  });
  return (socket: Socket) => server.injectSocket(socket.setNoDelay());
}

/** Gives a shell, by default with a terminal, and says that in it. */
export function shell(
  say: (shell: ssh2.ServerChannel, client: Connection) => void,
  { terminal = true } = {},
): NonNullable<SshServerOptions["onSession"]> {
  return (session, client) => {
    session.on("pty", (accept, reject) => (terminal ? accept() : reject()));
    session.on("shell", (accept) => say(accept(), client));
  };
}

/** Sends a message that the server itself would never send now. */
export function send(client: Connection, message: Uint8Array): void {
  const protocol = Reflect.get(client, "_protocol");
  const { write } = protocol._packetRW;
  const packet = write.alloc(message.length);
  packet.set(message, write.allocStart);
  protocol._cipher.encrypt(write.finalize(packet));
}

/** A message of a number and fields: numbers take four bytes, and text has its length before it. */
export function message(number: number, ...fields: readonly (number | string)[]): Buffer {
  const parts = fields.flatMap((field) => {
    if (typeof field === "number") return [word(field)];
    const text = Buffer.from(field);
    return [word(text.length), text];
  });
  return Buffer.concat([Buffer.of(number), ...parts]);
}

function word(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
