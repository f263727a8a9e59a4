import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";

import { Secret } from "../../kit/crypto/secret.ts";
import { InvalidInput, messageOf } from "../../kit/errors.ts";
import type { Config } from "../../settings/config.ts";

export interface KeyPair {
  readonly identity: Secret;
  readonly recipient: string;
}

/** Makes a secret key, and the public key for which backups are encrypted. */
export async function createKeyPair(): Promise<KeyPair> {
  const identity = await generateIdentity();
  return { identity: new Secret(identity), recipient: await identityToRecipient(identity) };
}

/** Whom backups are encrypted for: the given public keys, or else that of the secret key. */
export async function recipientsOf(
  settings: Pick<Config, "WATCHPOST_BACKUP_RECIPIENT" | "WATCHPOST_BACKUP_KEY">,
): Promise<readonly string[]> {
  const { WATCHPOST_BACKUP_RECIPIENT: given, WATCHPOST_BACKUP_KEY: key } = settings;
  if (given !== undefined) return given;
  return key === undefined
    ? []
    : [await mistyped("WATCHPOST_BACKUP_KEY", () => identityToRecipient(key.reveal()))];
}

export async function encrypt(
  content: ReadableStream<Uint8Array>,
  recipients: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    await mistyped(`the public key ${JSON.stringify(recipient)}`, () =>
      encrypter.addRecipient(recipient),
    );
  return encrypter.encrypt(content);
}

/** Throws InvalidInput if none of the keys decrypts it; modified data throws while it is read. */
export async function decrypt(
  content: ReadableStream<Uint8Array>,
  identities: readonly Secret[],
): Promise<ReadableStream<Uint8Array>> {
  if (identities.length === 0)
    throw new InvalidInput(
      "the backup is encrypted: name the file with its secret key (--key-file), or set WATCHPOST_BACKUP_KEY",
    );
  const decrypter = new Decrypter();
  for (const identity of identities)
    await mistyped("the secret key", () => decrypter.addIdentity(identity.reveal()));
  try {
    return await decrypter.decrypt(content);
  } catch (error) {
    if (!messageOf(error).startsWith("no identity matched")) throw error;
    throw new InvalidInput(
      "the backup is encrypted for another key: name the file with the secret key that belongs to it (--key-file), or set WATCHPOST_BACKUP_KEY",
      { cause: error },
    );
  }
}

/** The keys have checksums. */
async function mistyped<Value>(what: string, use: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (error) {
    throw new InvalidInput(`${what} is mistyped: it is not a key of age`, { cause: error });
  }
}
