import type { Clock } from "../../../kit/clock.ts";
import { codeOf, Unavailable } from "../../../kit/errors.ts";
import { NAME_PREFIX, parseBackupName } from "./backup-name.ts";
import {
  UNFINISHED_MS,
  type BackupDestination,
  type S3Access,
  type StoredFile,
} from "../../../settings/backup-destination.ts";
import { createS3Client, elementsOf, Refused, type S3Client } from "./s3-client.ts";

interface Bucket {
  readonly bucket: string;
  readonly prefix: string;
  readonly access: S3Access;
}

interface Deps {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly interrupted: AbortSignal;
}

/** An object has at most 10,000 parts, and no part but the last has less than 5 MB. */
const PARTS_OF_A_SIZE = 1000;
const FIRST_PART_BYTES = 16 * 1024 * 1024;
/** Maximum attempts to resume an interrupted download. */
const RESUMES = 5;

/** Objects of an S3-compatible store: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html. */
export function s3Destination({ bucket, prefix, access }: Bucket, deps: Deps): BackupDestination {
  const client = createS3Client({ bucket, access }, deps);
  const keyOf = (name: string): string => `${prefix}${name}`;
  const nameOf = (key: string): string => key.slice(prefix.length);

  return {
    async list() {
      const files: StoredFile[] = [];
      const query = { "list-type": "2", prefix: `${prefix}${NAME_PREFIX}` };
      for (let token: string | undefined = ""; token !== undefined;) {
        const more: Record<string, string> = token === "" ? {} : { "continuation-token": token };
        const response = await client.send("list the backups", {
          method: "GET",
          query: { ...query, ...more },
        });
        const xml = await response.text();
        for (const [, content = ""] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const [key = ""] = elementsOf(content, "Key");
          const [size] = elementsOf(content, "Size");
          const name = nameOf(key);
          if (parseBackupName(name) !== undefined) files.push({ name, bytes: Number(size) });
        }
        [token] = elementsOf(xml, "NextContinuationToken");
      }
      return files;
    },
    write: (name, content) => upload(client, keyOf(name), content),
    read: (name) => download(client, keyOf(name), name),
    async remove(name) {
      await (
        await client.send(`delete ${name}`, { method: "DELETE", key: keyOf(name) })
      ).arrayBuffer();
    },
    removeUnfinished: () => abortOldUploads(client, prefix),
  };
}

/** Not every store lists uploads, and not every key may: backups can be stored all the same. */
async function abortOldUploads(client: S3Client, prefix: string): Promise<void> {
  const query = { uploads: "", prefix: `${prefix}${NAME_PREFIX}` };
  let response: Response;
  try {
    response = await client.send("list unfinished uploads", { method: "GET", query });
  } catch (error) {
    if (error instanceof Refused) return;
    throw error;
  }
  // Uses the clock of the storage, which also dates the files.
  const now = Date.parse(response.headers.get("date") ?? "");
  for (const [, upload = ""] of (await response.text()).matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
    const [key = ""] = elementsOf(upload, "Key");
    const [uploadId = ""] = elementsOf(upload, "UploadId");
    const [initiated = ""] = elementsOf(upload, "Initiated");
    const isOld = now - Date.parse(initiated) > UNFINISHED_MS;
    if (isOld && parseBackupName(key.slice(prefix.length)) !== undefined)
      await client.sendLast({ method: "DELETE", key, query: { uploadId } });
  }
}

/** Stores an object by its parts, or at once where it is a single one; what is not completed is aborted, and never an object. */
async function upload(
  client: S3Client,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  const etags: string[] = [];
  let uploadId: string | undefined;
  let bytes = 0;
  const put = async (body: Uint8Array<ArrayBuffer>): Promise<void> => {
    uploadId ??= await beginUpload(client, key);
    const query = { partNumber: String(etags.length + 1), uploadId };
    const response = await client.send("store a part of the backup", {
      method: "PUT",
      key,
      query,
      body,
    });
    await response.arrayBuffer();
    etags.push(response.headers.get("etag") ?? "");
  };
  try {
    let part: Uint8Array<ArrayBuffer> | undefined;
    for await (const next of partsOf(content)) {
      if (part !== undefined) await put(part);
      part = next;
      bytes += next.length;
    }
    const last = part ?? new Uint8Array();
    if (uploadId === undefined) {
      const stored = await client.send("store the backup", { method: "PUT", key, body: last });
      await stored.arrayBuffer();
      return bytes;
    }
    await put(last);
    await completeUpload(client, { key, uploadId, etags });
    return bytes;
  } catch (error) {
    if (uploadId !== undefined)
      await client.sendLast({ method: "DELETE", key, query: { uploadId } });
    throw error;
  }
}

async function beginUpload(client: S3Client, key: string): Promise<string> {
  const response = await client.send("begin to store the backup", {
    method: "POST",
    key,
    query: { uploads: "" },
  });
  const [uploadId] = elementsOf(await response.text(), "UploadId");
  if (uploadId === undefined)
    throw new Unavailable("the store does not support uploads in parts: it gave no upload id");
  return uploadId;
}

async function completeUpload(
  client: S3Client,
  {
    key,
    uploadId,
    etags,
  }: { readonly key: string; readonly uploadId: string; readonly etags: readonly string[] },
): Promise<void> {
  const parts = etags.map(
    (etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`,
  );
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
  );
  const response = await client.send("complete the backup", {
    method: "POST",
    key,
    query: { uploadId },
    body,
  });
  // The status is sent before the store knows, so that an error may come with 200.
  const text = await response.text();
  if (/<Error>/.test(text))
    throw new Unavailable(
      `the store could not complete the backup: ${elementsOf(text, "Code").join(" ")} ${elementsOf(text, "Message").join(" ")}`,
    );
}

/** Pieces that double in size after each thousand, so that any backup fits into 10,000 and a small one needs little memory. */
async function* partsOf(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [size, count] = [FIRST_PART_BYTES, 0];
  let buffer = new Uint8Array(size);
  let used = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length;) {
      const taken = chunk.subarray(from, from + size - used);
      buffer.set(taken, used);
      used += taken.length;
      from += taken.length;
      if (used < size) continue;
      yield buffer;
      count += 1;
      if (count % PARTS_OF_A_SIZE === 0) size *= 2;
      buffer = new Uint8Array(size);
      used = 0;
    }
  }
  if (used > 0) yield buffer.slice(0, used);
}

/** Reads an object; after a connection that broke off it continues where it was, as long as the object is the same. */
async function* download(
  client: S3Client,
  key: string,
  name: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [from, total, resumes] = [0, Infinity, 0];
  let etag: string | null = null;
  while (from < total) {
    const headers: Record<string, string> =
      from === 0 ? {} : { range: `bytes=${from}-`, ...(etag !== null && { "if-match": etag }) };
    const response = await client.send(`read ${name}`, { method: "GET", key, headers });
    etag ??= response.headers.get("etag");
    if (from > 0 && response.status !== 206)
      throw new Unavailable("the store sends the backup from its beginning again: restore it anew");
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    if (from === 0) total = length;
    try {
      for await (const chunk of response.body ?? []) {
        from += chunk.length;
        yield chunk;
      }
      if (!(from < total)) return;
    } catch (error) {
      // Not one of who reads.
      if (codeOf(error) !== undefined || resumes === RESUMES) throw error;
    }
    resumes += 1;
    if (resumes > RESUMES)
      throw new Unavailable(`the download of ${name} broke off ${RESUMES} times`);
  }
}
