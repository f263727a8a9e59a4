import assert from "node:assert/strict";
import type { Socket } from "node:net";

import { sshCheck } from "../../src/checks/ssh/ssh.ts";
import type { Outcome } from "../../src/domain/run/outcome.ts";
import { contextOf } from "../contracts/check-type.ts";
import { waitFor } from "../time/wait-for.ts";
import { drainEventLoop } from "../time/fake-clock.ts";
import { tcpPeer, type SocketHandler } from "../peers/tcp.ts";

/** The outcome of an SSH check against a peer of that manner, once the peer has seen its end. */
export async function runSshCheck(
  manner: SocketHandler,
  parameters: object,
  signal = new AbortController().signal,
): Promise<Outcome> {
  await using peer = await tcpPeer(manner);
  const { run } = sshCheck.prepare({ target: peer.host, port: peer.port, ...parameters });
  const outcome = await run(contextOf({ signal }));
  await waitFor("the connection closed", () => peer.open() === 0);
  return outcome;
}

/** Each piece in a packet of its own. */
export function saying(...pieces: readonly (string | Uint8Array)[]): SocketHandler {
  const say = async (socket: Socket): Promise<void> => {
    socket.setNoDelay();
    for (const piece of pieces) {
      socket.write(piece);
      await drainEventLoop(3);
    }
  };
  return (socket) => void say(socket);
}

export interface SshEnding {
  /** Passes unless given. */
  readonly reason?: string;
  readonly text: string;
  /** The text unless given. */
  readonly message?: string;
}

export const found = { text: "Content found", message: "Found content string in login reply" };
export const missing = {
  text: "Content missing",
  message: "Content string not found in login reply",
};

export function missingText(text: string): SshEnding {
  return { ...missing, reason: "mismatch", message: `Text not found: "${text}"` };
}

export function forbiddenText(text: string): SshEnding {
  return { ...found, reason: "mismatch", message: `Forbidden text found: "${text}"` };
}

export function protocolError(fault: string): SshEnding {
  return { reason: "protocol", text: "Protocol error", message: `Protocol error: ${fault}` };
}

export function failedLogin(why = ""): SshEnding {
  return { reason: "auth", text: "Login failed", message: `Login failed${why}` };
}

export function assertEnding(
  outcome: Outcome,
  { reason = "ok", text, message = text }: SshEnding,
): void {
  assert.deepEqual(
    [outcome.passed, outcome.reason, outcome.text, outcome.message],
    [reason === "ok", reason, text, message],
  );
}
