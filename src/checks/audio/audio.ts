import type { Socket } from "node:net";
import { type Duplex, compose } from "node:stream";

import { z } from "zod";

import { type Outcome, failed } from "../../domain/run/outcome.ts";
import { decodeText } from "../../kit/http/body-text.ts";
import type { HttpResponse } from "../../kit/http/exchange.ts";
import { defineCheckType } from "../check-type.ts";
import { audioFormat } from "./format.ts";
import { formHints } from "../../schema/form-parameter.ts";
import { flag, wholeNumber } from "../../schema/parameter.ts";
import { httpUrl, ipv6 } from "../parameters/parameters.ts";
import { meanVolume, maxSeconds } from "./volume.ts";
import { fetchTarget, succeeded } from "../http/fetch-target.ts";

/** More than enough for three frames, or for the first entry of a playlist. */
const TO_KNOW = { bytes: 8 * 2 ** 10, ms: 1000 };
/** Ten seconds of 400 kbit/s. */
const TO_MEASURE = { bytes: 512 * 2 ** 10, ms: maxSeconds * 1000 };

export const audioCheck = defineCheckType({
  type: "AUDIO",
  title: { en: "Audio stream", de: "Audiostream" },
  group: "media",
  summary: {
    en: "Requests an audio stream, and passes if it contains audio, and if wanted audio that is loud enough",
    de: "Fragt einen Audiostream ab, und besteht, wenn er Ton enthält, und auf Wunsch, wenn dieser laut genug ist",
  },
  target: "url",
  example: {
    target: "https://radio.example.com/live.mp3",
    verifyvolume: true,
    volumemin: -30,
    ipv6: false,
  },
  schema: z.object({
    target: httpUrl,
    verifyvolume: flag(
      "Whether the stream must be as loud as `volumemin`; ffmpeg must be installed at the location of the probe",
    ).register(formHints, {
      title: { en: "Measure the volume", de: "Lautstärke messen" },
      help: {
        en: "Fails where the stream is not as loud as below; ffmpeg must be installed at the location",
        de: "Schlägt fehl, wenn der Stream leiser ist als unten; am Standort muss ffmpeg installiert sein",
      },
    }),
    volumemin: wholeNumber(
      "The lowest mean volume, in dB relative to full scale",
      { min: -90, max: 0 },
      -45,
    ).register(formHints, {
      title: { en: "Lowest volume, in dB", de: "Geringste Lautstärke, in dB" },
      help: {
        en: "The mean of some seconds, relative to full scale",
        de: "Der Mittelwert einiger Sekunden, bezogen auf Vollaussteuerung",
      },
    }),
    ipv6,
  }),
  run({ target, ipv6, ...rule }, context) {
    const most = rule.verifyvolume ? TO_MEASURE : TO_KNOW;
    return fetchTarget(
      {
        target,
        ipv6,
        follow: true,
        extraRedirect: entryOf,
        headers: { "Accept-Encoding": "identity" },
        readBody: true,
        maxBodyBytes: most.bytes,
        maxBodyMs: Math.min(most.ms, context.timeoutMs / 2),
        wrapSocket: icyAsHttp,
      },
      context,
      (answer) => judge(answer, rule, context.signal),
    );
  },
});

interface VolumeRule {
  readonly verifyvolume: boolean;
  readonly volumemin: number;
}

async function judge(
  answer: HttpResponse,
  { verifyvolume, volumemin }: VolumeRule,
  signal: AbortSignal,
): Promise<Outcome> {
  const text = String(answer.status);
  if (!isSuccess(answer)) return failed("status", text, `HTTP status returned: ${text}`);
  const contentType = answer.headers["content-type"];
  if (contentType === undefined) return failed("mismatch", text, "missing content-type header");
  const isText = /^text\//i.test(String(contentType));
  const format = isText ? undefined : audioFormat(beginningOf(answer));
  const invalid = failed("mismatch", text, "Invalid audio stream");
  if (format === undefined) return invalid;
  if (!verifyvolume) return succeeded(answer);
  const volume = await meanVolume({ format, bytes: answer.body }, signal);
  if (volume === undefined) return invalid;
  return volume < volumemin
    ? failed("mismatch", text, `Volume too low: ${volume} dB (min ${volumemin} dB)`)
    : succeeded(answer);
}

/** Follows the first entry of a playlist like a redirect. An HLS playlist leads to another playlist, and that one to the audio. */
function entryOf(answer: HttpResponse): string | undefined {
  return isSuccess(answer)
    ? firstEntry(decodeText(beginningOf(answer)), String(answer.headers["content-type"] ?? ""))
    : undefined;
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function beginningOf({ body }: HttpResponse): Uint8Array {
  return body.subarray(0, TO_KNOW.bytes);
}

/** SHOUTcast servers before version 2 begin a response with this, and continue as in HTTP/1.0. */
const ICY = Buffer.from("ICY ");
const HTTP = Buffer.from("HTTP/1.0 ");

/** Rewrites that status line to HTTP/1.0, so that an HTTP parser accepts the response. */
export function icyAsHttp(socket: Socket): Duplex {
  const duplex = compose(socket, inHttp);
  // After the response nobody listens any more, and the socket is destroyed.
  return duplex.on("error", () => {});
}

async function* inHttp(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (begun.length >= ICY.length) {
      yield chunk;
      continue;
    }
    begun = Buffer.concat([begun, chunk]);
    if (begun.length < ICY.length) continue;
    const rest = begun.subarray(ICY.length);
    yield begun.subarray(0, ICY.length).equals(ICY) ? Buffer.concat([HTTP, rest]) : begun;
  }
}

/** The first entry of an M3U, PLS or XSPF playlist; undefined if the text is not a playlist. */
export function firstEntry(text: string, contentType: string): string | undefined {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  if (/^\s*\[playlist\]/i.test(text))
    return lines
      .map((line) => /^File\d+\s*=\s*(.+)/i.exec(line)?.[1])
      .find((entry) => entry !== undefined);
  if (text.includes("http://xspf.org/ns/")) {
    const track = text.indexOf("<track>");
    const [, entry] = /<location>\s*([^<\s]+)/.exec(track === -1 ? "" : text.slice(track)) ?? [];
    return entry?.replaceAll("&amp;", "&");
  }
  if (/^\s*(?:#EXTM3U|https?:\/\/)/i.test(text) || /mpegurl/i.test(contentType))
    return lines.find((line) => line !== "" && !line.startsWith("#"));
  return undefined;
}
