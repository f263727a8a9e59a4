import { z } from "zod";

import { passed } from "../domain/run/outcome.ts";
import { ProtocolError } from "../kit/protocol-error.ts";
import { defineCheckType } from "./check-type.ts";
import { withPacketConnection, type PacketConnection } from "./net/packet-connection.ts";
import { host, ipv6, portOr } from "./parameters/parameters.ts";

export const rdpCheck = defineCheckType({
  type: "RDP",
  title: { en: "Remote desktop", de: "Remotedesktop" },
  group: "servers",
  summary: {
    en: "Connects to a remote desktop, and passes if it confirms the connection",
    de: "Verbindet sich mit einem Remotedesktop, und besteht, wenn er die Verbindung bestätigt",
  },
  target: "host",
  recognition: { ports: { 3389: {} } },
  example: { target: "desk.example.com", port: 3389, ipv6: false },
  schema: z.object({ target: host, port: portOr(3389), ipv6 }),
  run: ({ target, port, ipv6 }, context) =>
    withPacketConnection(
      { host: target, port, family: ipv6 ? 6 : undefined },
      context,
      async (connection) => {
        connection.write(connectionRequest());
        await readConfirm(connection);
        return passed("Connected", "Connected");
      },
    ),
});

/** RFC 1006, 6. */
const TPKT_VERSION = 3;
/** The length field of the X.224 header leaves out the TPKT header and its own byte. */
const UNCOUNTED_BYTES = 5;
/** The shortest header: the code, two references and the class. */
const MIN_COUNTED_BYTES = 6;
/** RFC 905, 13.3 and 13.4; the lower half of the byte is free. */
const REQUEST = 0xe0;
const CONFIRM = 0xd0;

/** MS-RDPBCGR, 2.2.1.1: a cookie with our name, and a negotiation request that offers TLS and network level authentication. */
function connectionRequest(): Buffer {
  const variable = Buffer.concat([
    Buffer.from("Cookie: mstshash=watchpost\r\n"),
    Buffer.of(0x01, 0, 8, 0, 0x03, 0, 0, 0),
  ]);
  const counted = MIN_COUNTED_BYTES + variable.length;
  return Buffer.concat([
    Buffer.of(TPKT_VERSION, 0, 0, UNCOUNTED_BYTES + counted, counted, REQUEST, 0, 0, 0, 0, 0),
    variable,
  ]);
}

/** MS-RDPBCGR, 2.2.1.2: accepts any connection confirm, whatever it negotiates, because only a remote desktop sends one. */
async function readConfirm({ read }: PacketConnection): Promise<void> {
  const start = await read(6);
  const [version, , , , counted = 0, code = 0] = start;
  const length = start.readUInt16BE(2);
  const isConfirm =
    version === TPKT_VERSION &&
    (code & 0xf0) === CONFIRM &&
    counted >= MIN_COUNTED_BYTES &&
    UNCOUNTED_BYTES + counted <= length;
  if (!isConfirm) throw new ProtocolError("not a connection confirm");
  await read(length - start.length);
}
