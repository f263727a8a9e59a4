import type { Client, ClientChannel, PseudoTtyOptions } from "ssh2";

import { connectionClosed } from "../net/connection-closed.ts";

/** Told what is shown to who has logged in. */
export interface OutputListener {
  readonly onOutput: (text: string) => void;
  /** Whether there is still something to be seen. */
  readonly needsMore: () => boolean;
}

/** One for which nothing is coloured, and which repeats nothing. */
const TERMINAL: PseudoTtyOptions = { term: "dumb", modes: { ECHO: 0 } };

/** As a person has it, with a terminal, or without one where that is refused; undefined where no shell is given at all. */
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
      // It throws where the connection is gone, and nowhere else.
      reject(connectionClosed());
    }
  });
}

/** Says at once that it leaves, and reads until it has left or no more is needed. */
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

/** Data after the end of a channel is an error of its stream. The library hands that out too late to listen, and the process would end. */
export function ignoreChannelErrors(client: Client): void {
  const channels = Reflect.get(client, "_chanMgr");
  const update = channels.update.bind(channels);
  channels.update = (id: number, channel: ClientChannel) => {
    channel.stderr.on("error", () => {});
    update(id, channel);
  };
}
