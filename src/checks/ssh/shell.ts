import type { Client, ClientChannel, PseudoTtyOptions } from "ssh2";

import { connectionClosed } from "../net/connection-closed.ts";

/** Receives the output of a login. */
export interface OutputListener {
  readonly onOutput: (text: string) => void;
  /** False once no more output is needed. */
  readonly needsMore: () => boolean;
}

/** A terminal without colours and without echo. */
const TERMINAL: PseudoTtyOptions = { term: "dumb", modes: { ECHO: 0 } };

/** Opens a shell with a terminal, or without one if the server refuses that; undefined if the server refuses both. */
export async function openShell(client: Client): Promise<ClientChannel | undefined> {
  return (await requestShell(client, TERMINAL)) ?? (await requestShell(client, false));
}

function requestShell(
  client: Client,
  terminal: PseudoTtyOptions | false,
): Promise<ClientChannel | undefined> {
  return new Promise((resolve, reject) => {
    try {
      client.shell(terminal, {}, (error, shell) =>
        resolve(error === undefined ? shell : undefined),
      );
    } catch {
      // It throws only when the connection is closed.
      reject(connectionClosed());
    }
  });
}

/** Sends `exit` at once, and reads until the shell has ended or no more output is needed. */
export function readShell(
  shell: ClientChannel,
  { onOutput, needsMore }: OutputListener,
): Promise<void> {
  return new Promise((resolve) => {
    for (const output of [shell, shell.stderr]) {
      output.setEncoding("utf8");
      output.on("data", (text: string) => {
        onOutput(text);
        if (!needsMore()) resolve();
      });
    }
    shell.on("end", resolve);
    shell.write("exit\n");
    shell.eof();
  });
}

/** Data after the end of a channel makes its stream emit an error. The library hands out the stream too late to listen, so the error would end the process. */
export function ignoreChannelErrors(client: Client): void {
  const channels = Reflect.get(client, "_chanMgr");
  const update = channels.update.bind(channels);
  channels.update = (id: number, channel: ClientChannel) => {
    channel.stderr.on("error", () => {});
    update(id, channel);
  };
}
