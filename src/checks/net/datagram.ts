import { createSocket, type Socket } from "node:dgram";

import { unlessAborted } from "../../kit/abort.ts";
import type { Timer } from "../../kit/clock.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import type { ResolvedAddress } from "../../kit/net/egress.ts";
import type { RunContext } from "../check-type.ts";

interface Exchange<Answer> {
  readonly to: ResolvedAddress & { readonly port: number };
  /** The packet to send; it may contain the local address. */
  readonly requestFrom: (own: Pick<Socket, "address">) => Buffer;
  /** The response in a packet; undefined if it belongs to something else. Throws ProtocolError. */
  readonly answerIn: (packet: Buffer) => Answer | undefined;
  /** The first retransmission interval, which doubles each time. */
  readonly patienceMs: number;
  readonly maxPatienceMs?: number;
}

/** Sends a request over UDP until a response arrives. Throws Interrupted, ProtocolError or the system's error, with the socket closed. */
export async function exchangeDatagrams<Answer>(
  { to, requestFrom, answerIn, patienceMs, maxPatienceMs = Infinity }: Exchange<Answer>,
  { signal, setTimer }: Pick<RunContext, "signal" | "setTimer">,
): Promise<Answer> {
  const { address, family, port } = to;
  const socket = createSocket({
    type: family === 4 ? "udp4" : "udp6",
    // The destination is already an address.
    lookup: (own, _, callback) => callback(null, own, family),
  });
  let resend: Timer | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    const send = (request: Buffer, patience: number): void => {
      socket.send(request);
      resend = setTimer(() => send(request, Math.min(2 * patience, maxPatienceMs)), patience);
    };
    socket.on("error", (error) => reject(Object.assign(error, { address })));
    socket.on("message", (packet) => {
      try {
        const found = answerIn(packet);
        if (found !== undefined) resolve(found);
      } catch (error) {
        reject(error);
      }
    });
    socket.once("connect", () => {
      if (!signal.aborted) send(requestFrom(socket), patienceMs);
    });
    // A connected socket receives only that server's packets, and reports its ICMP refusals.
    socket.connect(port, address);
  });
  try {
    const found = await unlessAborted(answer, signal);
    if (found === undefined) throw new Interrupted("answer", address);
    return found;
  } finally {
    resend?.cancel();
    socket.close();
  }
}
