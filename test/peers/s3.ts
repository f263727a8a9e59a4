import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Response of the storage instead of serving a request, or its failure. */
export type S3Fault =
  | { readonly status: number; readonly code: string }
  | "hang up"
  | "never answer"
  /** Sends half of an object, and closes the connection. */
  | "half"
  /** Completes an upload with the status 200 and an error in the body. */
  | "late error";

interface Received {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
}

/** An S3-compatible store in memory, which verifies the signature of every request and the hash of every body. */
export interface S3Peer extends AsyncDisposable {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Begun uploads that were neither completed nor aborted, by their id. */
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>;
  readonly requests: readonly Received[];
  /** Open requests that are never answered. */
  readonly unanswered: () => number;
  /** Decides about each request; undefined serves it. */
  fault: (request: Received) => S3Fault | undefined;
  /** Current time of the storage, in ms since the epoch. */
  now: () => number;
  /** When uploads are said to have begun. */
  initiatedAt: () => number;
}

interface Options {
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly now: () => number;
}

const MAX_KEYS = 2;
const MAX_SKEW_MS = 900_000;
const MIN_PART_BYTES = 5 * 1024 * 1024;

export async function s3Peer(options: Options): Promise<S3Peer> {
  const requests: Received[] = [];
  let unanswered = 0;
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.statusCode = error instanceof Refusal ? error.status : 500;
      response.end(
        `<?xml version="1.0"?><Error><Code>${error instanceof Refusal ? error.code : "InternalError"}</Code><Message>${String(error)}</Message></Error>`,
      );
    });
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://s3");
    const body = await buffer(request);
    response.setHeader("date", new Date(peer.now()).toUTCString());
    const prefix = `/${options.bucket}/`;
    const [path, query] = [decodeURIComponent(url.pathname), url.searchParams];
    const key = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    const received = { method: request.method ?? "", key, query };
    requests.push(received);
    const fault = peer.fault(received);
    if (fault === "never answer") {
      unanswered += 1;
      request.socket.once("close", () => (unanswered -= 1));
      return;
    }
    if (fault === "hang up") {
      request.socket.destroy();
      return;
    }
    if (typeof fault === "object") throw new Refusal(fault.status, fault.code);
    verify(request, body, { ...options, now: peer.now });
    if (!path.startsWith(prefix)) throw new Refusal(404, "NoSuchBucket");
    answer(received, { request, response, body, fault });
  };

  const answer = (
    { method, key, query }: Received,
    {
      request,
      response,
      body,
      fault,
    }: {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
      readonly body: Buffer;
      readonly fault: S3Fault | undefined;
    },
  ): void => {
    const uploadId = query.get("uploadId") ?? "";
    const upload = peer.uploads.get(uploadId);
    if (key === "" && query.has("uploads")) return void response.end(listUploads());
    if (key === "") return void response.end(listObjects(query));
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      peer.uploads.set(id, { key, parts: new Map() });
      return void response.end(`<R><UploadId>${id}</UploadId></R>`);
    }
    if (uploadId !== "" && upload?.key !== key) throw new Refusal(404, "NoSuchUpload");
    if (method === "PUT" && upload !== undefined) {
      upload.parts.set(Number(query.get("partNumber")), body);
      response.setHeader("etag", etagOf(body));
      return void response.end();
    }
    if (method === "POST" && upload !== undefined) {
      if (fault === "late error")
        return void response.end(
          "<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>",
        );
      peer.objects.set(key, completed(upload.parts, body.toString()));
      peer.uploads.delete(uploadId);
      return void response.end("<R/>");
    }
    if (method === "DELETE") {
      if (upload === undefined) peer.objects.delete(key);
      else peer.uploads.delete(uploadId);
      response.statusCode = 204;
      return void response.end();
    }
    if (method === "PUT") {
      peer.objects.set(key, body);
      return void response.end();
    }
    sendObject(key, { request, response, isHalf: fault === "half" });
  };

  const sendObject = (
    key: string,
    {
      request,
      response,
      isHalf,
    }: {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
      readonly isHalf: boolean;
    },
  ): void => {
    const whole = peer.objects.get(key);
    if (whole === undefined) throw new Refusal(404, "NoSuchKey");
    const etag = etagOf(whole);
    if (![undefined, etag].includes(request.headers["if-match"]))
      throw new Refusal(412, "PreconditionFailed");
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
    const sent = whole.subarray(Number(from ?? 0));
    response.statusCode = from === undefined ? 200 : 206;
    response.setHeader("etag", etag);
    response.setHeader("content-length", sent.length);
    if (!isHalf) return void response.end(sent);
    response.write(sent.subarray(0, Math.ceil(sent.length / 2)), () => response.destroy());
  };

  const listObjects = (query: URLSearchParams): string => {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...peer.objects.keys()].toSorted().filter((key) => key.startsWith(prefix));
    const rest = keys.filter((key) => key > after);
    const page = rest.slice(0, MAX_KEYS);
    const next =
      rest.length > MAX_KEYS ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${peer.objects.get(key)?.length}</Size></Contents>`,
    );
    return `<ListBucketResult>${contents.join("")}${next}</ListBucketResult>`;
  };

  const listUploads = (): string => {
    const initiated = new Date(peer.initiatedAt()).toISOString();
    const uploads = [...peer.uploads].map(
      ([id, { key }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
    );
    return `<ListMultipartUploadsResult>${uploads.join("")}</ListMultipartUploadsResult>`;
  };

  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const peer: S3Peer = {
    endpoint: `http://127.0.0.1:${port}`,
    objects: new Map(),
    uploads: new Map(),
    requests,
    unanswered: () => unanswered,
    fault: () => undefined,
    now: options.now,
    initiatedAt: options.now,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return peer;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

function etagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

/** The parts in the order that the client names, each with its ETag. */
function completed(parts: ReadonlyMap<number, Buffer>, xml: string): Buffer {
  const named = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
  const found = named.map(([, number, etag]) => {
    const part = parts.get(Number(number));
    if (part === undefined || etagOf(part) !== etag?.replaceAll("&quot;", '"'))
      throw new Refusal(400, "InvalidPart");
    return part;
  });
  if (found.length === 0) throw new Refusal(400, "MalformedXML");
  if (found.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES))
    throw new Refusal(400, "EntityTooSmall");
  return Buffer.concat(found);
}

/** Signature version 4, as the reference has it: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. */
function verify(request: IncomingMessage, body: Buffer, options: Options): void {
  const { headers } = request;
  const found =
    /^AWS4-HMAC-SHA256 Credential=(?<access>[^/]+)\/(?<day>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, ?SignedHeaders=(?<signed>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    )?.groups;
  if (found === undefined) throw new Refusal(403, "AccessDenied");
  const { access, day = "", region, signed = "", signature = "" } = found;
  if (access !== options.accessKey) throw new Refusal(403, "InvalidAccessKeyId");
  if (region !== options.region) throw new Refusal(400, "AuthorizationHeaderMalformed");
  const names = signed.split(";");
  const stamp = String(headers["x-amz-date"]);
  const at = Date.parse(
    stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!stamp.startsWith(day)) throw new Refusal(403, "SignatureDoesNotMatch");
  if (!(Math.abs(at - options.now()) < MAX_SKEW_MS)) throw new Refusal(403, "RequestTimeTooSkewed");
  for (const name of ["host", "x-amz-date", "x-amz-content-sha256"])
    if (!names.includes(name)) throw new Refusal(403, "AccessDenied");
  const hash = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== hash) throw new Refusal(400, "XAmzContentSHA256Mismatch");
  const url = new URL(request.url ?? "/", "http://s3");
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted();
  const canonical = [
    request.method,
    url.pathname
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    hash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash("sha256").update(canonical).digest("hex");
  const key = [day, options.region, "s3", "aws4_request"].reduce(
    (secret: Buffer, text) => createHmac("sha256", secret).update(text).digest(),
    Buffer.from(`AWS4${options.secretKey}`),
  );
  const expected = createHmac("sha256", key)
    .update(["AWS4-HMAC-SHA256", stamp, scope, digest].join("\n"))
    .digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex")))
    throw new Refusal(403, "SignatureDoesNotMatch");
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
