import { z } from "zod";

import { cronProblem, withoutNickname } from "../domain/heartbeat/cron.ts";
import { identitySetting, recipientsSetting } from "./backup-keys.ts";
import { backupLocationSetting } from "./backup-destination.ts";
import { retentionSetting } from "./backup-retention.ts";
import { httpUrlSetting, secretSetting } from "./setting-schemas.ts";

const schedule = z
  .string()
  .default("0 3 * * *")
  .transform((text, context) => {
    if (text.trim() === "off") return undefined;
    const problem = cronProblem(text);
    if (problem === undefined) return withoutNickname(text);
    context.addIssue(`${problem}; "off" makes no backups on a schedule`);
    return z.NEVER;
  });

const accessKey = z.string().regex(/^[!-~]{1,256}$/, {
  error: "must be the id of an access key, without spaces",
});

/** Settings of backups: destination, schedule, retention, and keys. */
export const backupSettings = {
  WATCHPOST_BACKUP_TO: backupLocationSetting.optional().meta({
    fallback: "none",
    meaning:
      "Where [backups](backups.md) are stored: the path of a folder that exists, such as `/mnt/backups`, or `s3://bucket/prefix` for an S3-compatible store",
  }),
  WATCHPOST_BACKUP_SCHEDULE: schedule.meta({
    fallback: "`0 3 * * *`",
    meaning:
      "When a backup is stored there, in cron format and in the time zone of `WATCHPOST_TIMEZONE`; one that was missed is made up for. `off` leaves it to `watchpost backup`",
  }),
  WATCHPOST_BACKUP_KEEP: retentionSetting.meta({
    fallback: "`last=3,daily=7,weekly=4,monthly=6`",
    meaning:
      "Which backups of this installation are kept when a new one is stored: the latest ones (`last`), and the newest of each of the latest days, weeks and months (GMT) that have one. `all` deletes none",
  }),
  WATCHPOST_BACKUP_RECIPIENT: recipientsSetting.optional().meta({
    fallback: "the public key of `WATCHPOST_BACKUP_KEY`",
    meaning:
      "Public keys of [age](https://age-encryption.org), separated by commas, for which backups are encrypted. `s3://` requires one, or `WATCHPOST_BACKUP_KEY`, or `none`, which stores backups unencrypted",
  }),
  WATCHPOST_BACKUP_KEY: identitySetting.optional().meta({
    fallback: "none",
    meaning:
      "The secret key of age that opens the backups, for `restore` and `backup verify`. Unattended backups need only `WATCHPOST_BACKUP_RECIPIENT`: keep the secret key elsewhere",
  }),
  WATCHPOST_BACKUP_S3_ENDPOINT: httpUrlSetting.optional().meta({
    fallback: "AWS",
    meaning: "The URL of the S3-compatible store, such as `https://s3.example.com`",
  }),
  WATCHPOST_BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, { error: "must be a region such as us-east-1" })
    .default("us-east-1")
    .meta({ fallback: "`us-east-1`", meaning: "The region of the bucket" }),
  WATCHPOST_BACKUP_S3_PATH_STYLE: z
    .enum(["on", "off"], { error: 'must be "on" or "off"' })
    .transform((value) => value === "on")
    .optional()
    .meta({
      fallback: "`on` with an endpoint, `off` with AWS",
      meaning: "Whether the bucket is in the path of a URL, and not in its host name",
    }),
  WATCHPOST_BACKUP_S3_ACCESS_KEY: accessKey.optional().meta({
    fallback: "none",
    meaning: "The id of the access key; required with `s3://`",
  }),
  WATCHPOST_BACKUP_S3_SECRET_KEY: secretSetting.optional().meta({
    fallback: "none",
    meaning: "The secret of that access key",
  }),
};

type BackupPlaceSettings = Readonly<z.output<z.ZodObject<typeof backupSettings>>>;

/** The settings that are missing for backups to a bucket, each with why. */
export function wrongBackups(
  settings: BackupPlaceSettings,
): readonly (readonly [name: keyof BackupPlaceSettings, why: string])[] {
  if (settings.WATCHPOST_BACKUP_TO?.kind !== "s3") return [];
  const given = "required with WATCHPOST_BACKUP_TO=s3://…";
  const isEncryptionSaid =
    settings.WATCHPOST_BACKUP_RECIPIENT !== undefined ||
    settings.WATCHPOST_BACKUP_KEY !== undefined;
  return [
    ...(settings.WATCHPOST_BACKUP_S3_ACCESS_KEY === undefined
      ? ([["WATCHPOST_BACKUP_S3_ACCESS_KEY", given]] as const)
      : []),
    ...(isEncryptionSaid
      ? []
      : ([
          [
            "WATCHPOST_BACKUP_RECIPIENT",
            `${given}: a public key of age, for a backup has the instance key and all credentials; "watchpost backup key" makes a pair, and "none" stores it unencrypted`,
          ],
        ] as const)),
  ];
}
