import type { JsonObject } from "../api-client.ts";
import type { SourceLocation } from "./source/source-location.ts";
import type { SectionName } from "./shapes.ts";

/** A record as files describe it, under the key that it has there. */
export interface DeclaredRecord {
  readonly key: string;
  /** With what they refer to. */
  readonly values: JsonObject;
  readonly place: SourceLocation;
  /** Digest of the text in the files, without the content of references. */
  readonly textDigest: string;
  /** Members whose values come from outside of the files, and are shown to nobody. */
  readonly secretMembers: ReadonlySet<string>;
  /** Members are left out whose values are not where they refer to. */
  readonly isIncomplete: boolean;
}

export type DeclaredSections = Readonly<Record<SectionName, ReadonlyMap<string, DeclaredRecord>>>;

/** Content of the files for one account. */
export interface DeclaredAccount {
  readonly place: SourceLocation;
  readonly account: DeclaredRecord | undefined;
  readonly branding: DeclaredRecord | undefined;
  readonly sections: DeclaredSections;
}

/** Complete content of the files: the account itself, and its subaccounts by key. */
export interface Declaration extends DeclaredAccount {
  /** The name of the configuration, under which the installation remembers what it made. */
  readonly name: string;
  readonly subaccounts: ReadonlyMap<string, DeclaredAccount>;
}
