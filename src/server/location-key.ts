import { existsSync } from "node:fs";
import { join } from "node:path";

import { deriveLocationKey, writeLocationKey, type LocationKeyId } from "../bus/location-key.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { NotFound } from "../kit/errors.ts";
import type { Config } from "../settings/config.ts";
import { loadInstanceKey } from "./instance-key.ts";

/** Returns a location's key derived from the instance key of the settings. Creates no instance key, because it would differ from the service's. */
export function localLocationKey(
  settings: Pick<Config, "WATCHPOST_DATA" | "WATCHPOST_INSTANCE_KEY" | "WATCHPOST_DATABASE_URL">,
  location: string,
  id: LocationKeyId,
): string {
  const { WATCHPOST_DATA: directory, WATCHPOST_INSTANCE_KEY: given } = settings;
  const path = join(directory, "instance.key");
  if (given === undefined && !existsSync(path))
    throw new NotFound(
      `there is no ${path}: run this on the machine of the service once it was started, or set WATCHPOST_DATA or WATCHPOST_INSTANCE_KEY`,
    );
  const sealer = createSealer(loadInstanceKey(settings));
  return writeLocationKey(deriveLocationKey(sealer, location, id));
}
