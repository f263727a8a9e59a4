import { existsSync } from "node:fs";
import { join } from "node:path";

import { createSealer, type Sealer } from "../kit/crypto/seal.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { InvalidInput, NotFound } from "../kit/errors.ts";
import { copyStore, type CopiedPart } from "../store/copy/copy-store.ts";
import type { CopyEnd } from "../store/copy/copy-end.ts";
import type { Config } from "../settings/config.ts";
import { loadInstanceKey } from "./instance-key.ts";

type Settings = Pick<
  Config,
  "WATCHPOST_DATA" | "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_DATABASE_URL"
>;

export interface CopyTargets {
  /** `embedded` and `postgresql` for what the settings name, a data folder, or the URL of a database. */
  readonly from: string;
  readonly to: string;
}

type Place = { readonly directory: string } | { readonly url: Secret };

/**
 * Copies an installation without a running service to an empty one, and calls back for each verified part. Resolves with the data folder whose instance key the
 * copy needs; undefined if the settings have the key.
 */
export async function copyInstallation(
  settings: Settings,
  { from, to }: CopyTargets,
  copied: (part: CopiedPart) => void,
): Promise<{ readonly keyFolder: string | undefined }> {
  const [source, target] = [placeOf(from, "--from", settings), placeOf(to, "--to", settings)];
  if (JSON.stringify(describe(source)) === JSON.stringify(describe(target)))
    throw new InvalidInput("--to: is the same as --from");
  if ("directory" in source && !existsSync(join(source.directory, "watchpost.db")))
    throw new NotFound(
      `--from: there is no ${join(source.directory, "watchpost.db")}: name the data folder of an installation`,
    );
  const { keyFolder, sealer } = openKey(settings, [source, target]);
  const sourceEnd = await openEnd(source, sealer);
  try {
    const targetEnd = await openEnd(target, sealer);
    try {
      await copyStore({ source: sourceEnd, target: targetEnd }, copied);
    } finally {
      await targetEnd.close();
    }
  } finally {
    await sourceEnd.close();
  }
  return { keyFolder };
}

function placeOf(name: string, option: string, settings: Settings): Place {
  if (name === "embedded") return { directory: settings.WATCHPOST_DATA };
  if (name === "postgresql") {
    const url = settings.WATCHPOST_DATABASE_URL;
    if (url === undefined)
      throw new InvalidInput(`${option}: postgresql is what WATCHPOST_DATABASE_URL names: set it`);
    return { url };
  }
  if (/^postgres(ql)?:\/\//.test(name)) return { url: new Secret(name) };
  if (/^\w+:\/\//.test(name))
    throw new InvalidInput(
      `${option}: must be embedded, postgresql, a data folder, or a URL such as postgres://user:password@db.example.com:5432/watchpost`,
    );
  return { directory: name };
}

function describe(place: Place): string {
  return "url" in place ? place.url.reveal() : join(place.directory, ".");
}

/** Encrypted data is copied as it is, so both installations share one key: from the settings, or from the data folder that has one. */
function openKey(
  settings: Settings,
  places: readonly Place[],
): { readonly keyFolder: string | undefined; readonly sealer: Sealer } {
  const { WATCHPOST_INSTANCE_KEY } = settings;
  const folders = places.flatMap((place) => ("directory" in place ? [place.directory] : []));
  const keyFolder = folders.find((folder) => existsSync(join(folder, "instance.key")));
  if (WATCHPOST_INSTANCE_KEY === undefined && keyFolder === undefined)
    throw new NotFound(
      "the instance key is needed: set WATCHPOST_INSTANCE_KEY to that of the source, or copy its file instance.key into the data folder of the target",
    );
  const key = loadInstanceKey({
    WATCHPOST_DATA: keyFolder ?? settings.WATCHPOST_DATA,
    WATCHPOST_INSTANCE_KEY,
    WATCHPOST_DATABASE_URL: undefined,
  });
  return {
    keyFolder: WATCHPOST_INSTANCE_KEY === undefined ? keyFolder : undefined,
    sealer: createSealer(key),
  };
}

async function openEnd(place: Place, sealer: Sealer): Promise<CopyEnd> {
  if ("directory" in place) {
    const { openSqliteEnd } = await import("../store/sqlite/copy-end.ts");
    return openSqliteEnd(place.directory, sealer);
  }
  const { openPostgresEnd } = await import("../store/postgres/copy-end.ts");
  return openPostgresEnd(place.url, sealer);
}
