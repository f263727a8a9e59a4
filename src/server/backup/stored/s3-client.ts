import { createHash } from "node:crypto";

import { AwsV4Signer } from "aws4fetch";

import { createDeadline } from "../../../kit/abort.ts";
import { sleep, type Clock } from "../../../kit/clock.ts";
import { codeOf, NotFound, Unavailable } from "../../../kit/errors.ts";
import { networkTrouble } from "../../../kit/net/network-error.ts";
import type { S3Access } from "../../../settings/backup-destination.ts";

export interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** The key of an object; undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** Sends signed requests for one bucket, and again where the store is busy or away. Throws Unavailable with a sentence otherwise. */
export interface S3Client {
  readonly send: (what: string, request: S3Request) => Promise<Response>;
  /** Ends a request that no longer matters, once, and also after an interruption. */
  readonly sendLast: (request: S3Request) => Promise<void>;
}

interface Deps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly interrupted: AbortSignal;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
/** A part of 16 MB at one Mbit/s takes about two minutes. */
const PATIENCE_MS = 300_000;
const LAST_PATIENCE_MS = 5000;

export function createS3Client(
  { bucket, access }: { readonly bucket: string; readonly access: S3Access },
  { fetch, clock, interrupted }: Deps,
): S3Client {
  const attempt = async (
    request: S3Request,
    { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
  ): Promise<Response> => {
    const { method, headers = {}, body } = request;
    const signer = new AwsV4Signer({
      method,
      url: urlOf(bucket, access, request).href,
      headers: { ...headers, "x-amz-content-sha256": sha256(body ?? new Uint8Array()) },
      accessKeyId: access.accessKey,
      secretAccessKey: access.secretKey.reveal(),
      service: "s3",
      region: access.region,
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d+/g, ""),
    });
    const signed = await signer.sign();
    const late = new Unavailable(`no answer in ${patienceMs / 1000} s`);
    using deadline = createDeadline(clock, patienceMs, late);
    return await fetch(signed.url.href, {
      method,
      headers: signed.headers,
      redirect: "manual",
      signal: AbortSignal.any([signal, deadline.signal]),
      ...(body !== undefined && { body }),
    });
  };

  return {
    async send(what, request) {
      for (let attempts = 1; ; attempts += 1) {
        const last = attempts === ATTEMPTS;
        try {
          const response = await attempt(request, {
            patienceMs: PATIENCE_MS,
            signal: interrupted,
          });
          if (response.ok) return response;
          const text = await response.text();
          if (last || !mayPass(response.status, text))
            throw refusal(what, { bucket, access, status: response.status, text });
        } catch (error) {
          if (interrupted.aborted) throw new Unavailable("interrupted", { cause: error });
          if (isAnswer(error)) throw error;
          if (last)
            throw new Unavailable(
              `cannot ${what}: ${hostOf(bucket, access)} cannot be reached: ${networkTrouble(error)}`,
              { cause: error },
            );
        }
        await sleep(clock, FIRST_PAUSE_MS * 2 ** (attempts - 1), interrupted);
      }
    },
    async sendLast(request) {
      try {
        const signal = new AbortController().signal;
        await (await attempt(request, { patienceMs: LAST_PATIENCE_MS, signal })).text();
      } catch {
        // The store is away, or has forgotten it already.
      }
    },
  };
}

const NOT_IMPLEMENTED = 501;

/** The store understood the request, and another attempt would be refused as well. */
export class Refused extends Unavailable {}

function isAnswer(error: unknown): boolean {
  return error instanceof Refused || codeOf(error) === "not_found";
}

function mayPass(status: number, text: string): boolean {
  const isBusy = status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED);
  return isBusy || /<Code>(?:SlowDown|RequestTimeout)</.test(text);
}

function refusal(
  what: string,
  {
    bucket,
    access,
    status,
    text,
  }: {
    readonly bucket: string;
    readonly access: S3Access;
    readonly status: number;
    readonly text: string;
  },
): Error {
  const [code = ""] = elementsOf(text, "Code");
  const [message = ""] = elementsOf(text, "Message");
  const said = [String(status), code, message.slice(0, 200).replace(/\.+$/, "")].filter(
    (part) => part !== "",
  );
  const sentence = `cannot ${what}: ${hostOf(bucket, access)} refuses it: ${said.join(" ")}`;
  if (code === "NoSuchKey") return new NotFound(sentence);
  const advice = adviceOn(status, code);
  return new Refused(advice === undefined ? sentence : `${sentence}. ${advice}`);
}

/** Returns advice for an error of S3 by its code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. */
function adviceOn(status: number, code: string): string | undefined {
  if (code === "RequestTimeTooSkewed")
    return "The clock of this machine or of the store is wrong: see `watchpost doctor --ntp`";
  if (code === "NoSuchBucket") return "Create the bucket first, or correct WATCHPOST_BACKUP_TO";
  if (code === "SignatureDoesNotMatch" || code === "InvalidAccessKeyId")
    return "Correct WATCHPOST_BACKUP_S3_ACCESS_KEY and WATCHPOST_BACKUP_S3_SECRET_KEY";
  if (code === "AccessDenied" || status === 403)
    return "The key needs the right to list the bucket, and to read, write and delete its objects";
  if (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed")
    return "Correct WATCHPOST_BACKUP_S3_REGION or WATCHPOST_BACKUP_S3_ENDPOINT";
  return undefined;
}

function sha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

function baseOf({ endpoint, region }: S3Access): URL {
  return new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
}

function hostOf(bucket: string, access: S3Access): string {
  const { host } = baseOf(access);
  return access.pathStyle ? host : `${bucket}.${host}`;
}

function urlOf(bucket: string, access: S3Access, { key, query }: S3Request): URL {
  const url = baseOf(access);
  const path = (key ?? "").split("/").map(encodeURIComponent).join("/");
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${access.pathStyle ? `${bucket}/` : ""}${path}`;
  if (!access.pathStyle) url.host = hostOf(bucket, access);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** The texts of the innermost elements of that name, which S3 writes without attributes. */
export function elementsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) =>
    text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, named) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(String(hex), 16));
      return entities[String(named)] ?? all;
    }),
  );
}
