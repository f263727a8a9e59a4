import { udpPeer, type UdpPeer } from "../peers/udp.ts";

interface NtpBehaviour {
  /** Time that it reports, in milliseconds since 1970. */
  readonly now: () => number;
  /** Changes an answer before it is sent. */
  readonly change?: (answer: Buffer) => Buffer;
}

const EPOCH_SECONDS = 2_208_988_800n;
/** No warning, version 4, mode 4 (server). */
const ANSWER = 0x24;

/** A server of NTP (RFC 5905) of stratum 2. */
export function ntpPeer({ now, change = (answer) => answer }: NtpBehaviour): Promise<UdpPeer> {
  return udpPeer((request, reply) => {
    const answer = Buffer.alloc(48);
    answer[0] = ANSWER;
    answer[1] = 2;
    request.copy(answer, 24, 40, 48);
    answer.writeBigUInt64BE(timestamp(now()), 32);
    answer.writeBigUInt64BE(timestamp(now()), 40);
    reply(change(answer));
  });
}

/** Seconds since 1900 and their fraction, of 32 bits each; what is before 2036 and after differ by an era. */
function timestamp(ms: number): bigint {
  const fixed = ((BigInt(Math.round(ms)) + EPOCH_SECONDS * 1000n) << 32n) / 1000n;
  return BigInt.asUintN(64, fixed);
}
