import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { TLSSocket } from "node:tls";

import type { Certificate } from "./certificates.ts";
import type { SocketHandler } from "./tcp.ts";

export interface LineScript {
  readonly greeting?: string;
  /** Response to a line, or to any with that first word; `<line>` in it is the received text. */
  readonly answers: Readonly<Record<string, string>>;
  /** For lines that lead into TLS once they are answered. */
  readonly certificate?: Certificate;
  /** Every line that comes is added to these. */
  readonly received?: string[];
}

const LEADS_INTO_TLS = /(?:^| )(?:STARTTLS|STLS)$/;

/** Greets, and answers lines by a table; others stay without an answer. */
export function lineServer({
  greeting = "",
  answers,
  certificate,
  received,
}: LineScript): SocketHandler {
  const attend = (socket: Socket): void => {
    const lines = createInterface({ input: socket });
    lines.on("error", () => {});
    lines.on("line", (line) => {
      received?.push(line);
      const answer = answers[line] ?? answers[line.split(" ", 1).join()] ?? "";
      socket.write(answer.replaceAll("<line>", line));
      if (certificate === undefined || !LEADS_INTO_TLS.test(line)) return;
      lines.close();
      socket.removeAllListeners("data");
      const secured = new TLSSocket(socket, { isServer: true, ...certificate });
      secured.on("error", () => {});
      attend(secured);
    });
  };
  return (socket) => {
    socket.write(greeting);
    attend(socket);
  };
}
