import { z } from "zod";

import type { Secret } from "../kit/crypto/secret.ts";

/** The place that backups are stored in, as it is written: a folder, or a bucket with a prefix. */
export type BackupLocation =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string };

/** How an S3-compatible store is reached. */
export interface S3Access {
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the bucket is in the path of a URL rather than in its host. */
  readonly pathStyle: boolean;
  readonly accessKey: string;
  readonly secretKey: Secret;
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files at a destination; only those with names of backups are listed. */
export interface BackupDestination {
  readonly list: () => Promise<readonly StoredFile[]>;
  /** Stores a file, which has its name only once it is whole and durable, and returns its size. */
  readonly write: (name: string, content: AsyncIterable<Uint8Array>) => Promise<number>;
  readonly read: (name: string) => AsyncIterable<Uint8Array>;
  readonly remove: (name: string) => Promise<void>;
  /** Removes what writers that were killed left behind a day ago or longer. */
  readonly removeUnfinished: () => Promise<void>;
}

/** How long a file that has no name yet may be one that is still being written. */
export const UNFINISHED_MS = 86_400_000;

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** A setting or an option: the path of a folder, or `s3://bucket/prefix`. */
export const backupLocationSetting = z
  .string()
  .min(1)
  .transform((text, context): BackupLocation => {
    const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text) ?? [];
    if (scheme === undefined) return { kind: "folder", path: text };
    const [bucket = "", ...path] = rest.split("/");
    const prefix = path.filter((part) => part !== "").join("/");
    if (scheme.toLowerCase() === "s3" && bucketForm.test(bucket))
      return { kind: "s3", bucket, prefix: prefix === "" ? "" : `${prefix}/` };
    context.addIssue(
      `must be the path of a folder, or s3://bucket/prefix, not ${JSON.stringify(text)}`,
    );
    return z.NEVER;
  });

/** As people write it. */
export function formatBackupLocation(place: BackupLocation): string {
  return place.kind === "folder" ? place.path : `s3://${place.bucket}/${place.prefix}`;
}
