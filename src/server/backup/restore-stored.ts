import type { BackupSettings, Work } from "./make-backup.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup, verifyBackup, type Restored } from "./restore-backup.ts";
import { fetchBackup, type BackupToFetch, type FetchSettings } from "./stored/fetch-backup.ts";

type Settings = BackupSettings & FetchSettings;

interface Named {
  /** The backup, as people know it. */
  readonly name: string;
}

/** Restores a backup from wherever it is. */
export async function restoreStored(
  settings: Settings,
  { replace, ...wish }: BackupToFetch & { readonly replace: boolean },
  work: Work,
): Promise<Restored & Named> {
  using fetched = await fetchBackup(settings, wish, work);
  const { folder, name } = fetched;
  return { name, ...(await restoreBackup(settings, { folder, replace }, work)) };
}

/** Reads a backup at any location without restoring it. Throws if it could not be restored. */
export async function verifyStored(
  settings: Settings,
  wish: BackupToFetch,
  work: Work,
): Promise<Named & { readonly manifest: Manifest }> {
  using fetched = await fetchBackup(settings, wish, work);
  const { folder, name } = fetched;
  return { name, manifest: await verifyBackup(settings, folder, work) };
}
