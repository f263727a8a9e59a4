import { LRUCache } from "lru-cache";

import { regions, type Region } from "../domain/location.ts";
import { createSealer, type Sealer } from "../kit/crypto/seal.ts";
import { InvalidInput } from "../kit/errors.ts";

/** Names one key of a location: its holder acts for the location in this region, and in no other one. */
export interface LocationKeyId {
  /** A new generation makes the keys before it useless. */
  readonly generation: number;
  /** Undefined if the location counts for every region. */
  readonly region: Region | undefined;
}

/** Seals what travels between the controllers and one location. */
export interface LocationKey extends LocationKeyId {
  readonly key: Uint8Array;
}

const KEY_BYTES = 32;
/** More than an installation has keys in use; another machine chooses the names. */
const MAX_SEALERS = 1000;

/**
 * Derives the key of a location from the instance key. It reveals neither the instance key nor the key of another location, and the
 * holder of the key for one region cannot derive the key for another.
 */
export function deriveLocationKey(
  instance: Pick<Sealer, "deriveKey">,
  location: string,
  id: LocationKeyId,
): LocationKey {
  const { generation, region } = id;
  const key = instance.deriveKey(
    // guard: keys of locations = "location"
    `location ${location} region ${/* guard: regions of locations = "every" */ region ?? "every"} generation ${generation}`,
  );
  return { generation, region, key };
}

/** The name of a key in settings, subjects and presence messages, such as `1-nam`. */
export function writeKeyId({ generation, region }: LocationKeyId): string {
  return `${generation}-${region ?? "every"}`;
}

/** Undefined if the text names no key. */
export function parseKeyId(text: string): LocationKeyId | undefined {
  const [, generation, name] = /^([1-9]\d{0,8})-([a-z]{3,5})$/.exec(text) ?? [];
  const region = regions.find((each) => each === name);
  if (generation === undefined || (region === undefined && name !== "every")) return undefined;
  return { generation: Number(generation), region };
}

/** The key as text, for the settings of a probe. */
export function writeLocationKey(key: LocationKey): string {
  return `${writeKeyId(key)}.${Buffer.from(key.key).toString("base64url")}`;
}

/** Throws InvalidInput. */
export function parseLocationKey(text: string): LocationKey {
  const [, name = "", encoded = ""] = /^([\d]+(?:-[a-z]+)?)\.([\w-]{43})$/.exec(text) ?? [];
  const id = parseKeyId(name);
  const key = Buffer.from(encoded, "base64url");
  if (id !== undefined && key.length === KEY_BYTES) return { ...id, key };
  throw new InvalidInput(
    /^\d+$/.test(name)
      ? "holds no region, because an older version made it: make a new key with `watchpost location create <code> --region <region>`"
      : "must be a key as `watchpost location create` writes it",
  );
}

/** Seals for locations by the keys that the instance key gives them. */
export type LocationSealers = (location: string, id: LocationKeyId) => Sealer;

export function createLocationSealers(instance: Pick<Sealer, "deriveKey">): LocationSealers {
  const known = new LRUCache<string, Sealer>({ max: MAX_SEALERS });
  return (location, id) => {
    const name = `${location} ${writeKeyId(id)}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const sealer = createSealer(deriveLocationKey(instance, location, id).key);
    known.set(name, sealer);
    return sealer;
  };
}
