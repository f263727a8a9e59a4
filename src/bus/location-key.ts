import { createSealer } from "../kit/crypto/seal.ts";
import type { Sealer } from "../kit/crypto/seal.ts";
import { InvalidInput } from "../kit/errors.ts";

/** Seals what travels between the controllers and one location. A new generation makes the keys before it useless. */
export interface LocationKey {
  readonly generation: number;
  readonly key: Uint8Array;
}

const KEY_BYTES = 32;

/** What the instance key gives to a location: it reveals neither the instance key nor that of another location. */
export function deriveLocationKey(
  instance: Pick<Sealer, "deriveKey">,
  location: string,
  generation: number,
): LocationKey {
  return { generation, key: instance.deriveKey(`location ${location} generation ${generation}`) };
}

/** As text, for the settings of a probe. */
export function writeLocationKey({ generation, key }: LocationKey): string {
  return `${generation}.${Buffer.from(key).toString("base64url")}`;
}

/** Throws InvalidInput. */
export function parseLocationKey(text: string): LocationKey {
  const [, generation = "", encoded = ""] = /^([1-9]\d{0,8})\.([\w-]{43})$/.exec(text) ?? [];
  const key = Buffer.from(encoded, "base64url");
  if (key.length !== KEY_BYTES)
    throw new InvalidInput("must be a key as `watchpost location create` writes it");
  return { generation: Number(generation), key };
}

/** Seals for locations by the keys that the instance key gives them. */
export function createLocationSealers(
  instance: Pick<Sealer, "deriveKey">,
): (location: string, generation: number) => Sealer {
  const known = new Map<string, Sealer>();
  return (location, generation) => {
    const name = `${location} ${generation}`;
    const sealer =
      known.get(name) ?? createSealer(deriveLocationKey(instance, location, generation).key);
    known.set(name, sealer);
    return sealer;
  };
}
