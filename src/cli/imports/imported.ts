import type { JsonObject } from "../api-client.ts";
import type { History } from "./history/history.ts";

/** Part of a record that is imported differently or not at all. */
export interface Note {
  readonly outcome: "changed" | "left out";
  readonly field: string;
  readonly reason: string;
}

interface ImportedRecord {
  /** Its id in the other system. */
  readonly from: string;
  readonly name: string;
  readonly notes: readonly Note[];
}

export interface ImportedContact extends ImportedRecord {
  /** As a POST of contacts takes them. */
  readonly addresses: readonly JsonObject[];
}

export interface ImportedCheck extends ImportedRecord {
  readonly type: string;
  readonly target?: string;
  /** Other parameters of the POST of checks, except recipients. */
  readonly parameters: JsonObject;
  /** Ids of contacts in the other system. */
  readonly recipients: readonly { readonly contact: string; readonly delay?: number }[];
  /** Addresses of its heartbeats. */
  readonly aliases: readonly string[];
  /** Uptime history there; undefined if it is not exported. */
  readonly history?: History;
}

/** Check created from a record of another system. */
export interface TypedCheck {
  readonly type: string;
  readonly target?: string;
  readonly parameters: JsonObject;
  readonly aliases?: readonly string[];
}

export interface ImportedMaintenance extends ImportedRecord {
  /** Parameters of the POST of maintenance, except checks. */
  readonly parameters: JsonObject;
  /** Time zone of a recurring maintenance; undefined for a one-time one. */
  readonly timeZone?: string;
  /** Ids of checks in the other system. */
  readonly checks: readonly string[];
}

export interface ImportedStatusPage extends ImportedRecord {
  /** Parameters of the POST of statuspages, except sections. */
  readonly parameters: JsonObject;
  readonly sections: readonly {
    readonly name: string;
    /** Checks by their ids in the other system, under the names that readers see. */
    readonly checks: readonly { readonly from: string; readonly name: string }[];
  }[];
}

/** A record that cannot come. */
interface AbsentRecord {
  readonly kind: string;
  readonly from: string;
  readonly name: string;
  readonly reason: string;
}

/** All that another system has, in the words of this one. */
export interface Imported {
  readonly contacts: readonly ImportedContact[];
  readonly checks: readonly ImportedCheck[];
  readonly maintenance: readonly ImportedMaintenance[];
  readonly statusPages?: readonly ImportedStatusPage[];
  readonly absent: readonly AbsentRecord[];
  /** Distinguishes this installation of the system from others; undefined if the source has no such value. */
  readonly fingerprint?: string;
}

/** The variables of the environment. */
export type ImportEnvironment = Readonly<Record<string, string | undefined>>;

/** The API of another system, as its owner may ask it. */
export interface RemoteApi {
  readonly get: (
    path: string,
    query?: Readonly<Record<string, string | number>>,
  ) => Promise<unknown>;
  readonly post: (path: string, body: JsonObject) => Promise<unknown>;
  readonly token: string;
  readonly now: () => number;
}

/** How a system is read by its API. */
export interface RemoteSystem {
  /** Default URL of its API, for hosted installations. */
  readonly usualUrl: string;
  readonly headersOf: (token: string) => Readonly<Record<string, string>>;
  readonly read: (api: RemoteApi) => Promise<Imported>;
}

/** A system to import from. */
export interface ImportSystem {
  readonly name: string;
  /** Description of its file, as a sentence. */
  readonly description: string;
  readonly read: (path: string, environment: ImportEnvironment) => Promise<Imported>;
  /** Whether two installations have records with the same ids. */
  readonly repeatsIds?: true;
  /** Access to its API; undefined if it has none. */
  readonly remote?: RemoteSystem;
}

/** Collects the notes of a record. */
export interface Notes {
  readonly list: readonly Note[];
  /** Whether the check must be imported disabled. */
  readonly isOff: () => boolean;
  readonly changed: (field: string, reason: string) => void;
  readonly leftOut: (field: string, reason: string) => void;
  /** Leaves out a field without which the check would alarm where the other system does not. */
  readonly off: (field: string, reason: string) => void;
}

export function createNotes(): Notes {
  const list: Note[] = [];
  let isOff = false;
  const add = (outcome: Note["outcome"], field: string, reason: string): void => {
    const isNoted = list.some((each) => each.field === field && each.reason === reason);
    if (!isNoted) list.push({ outcome, field, reason });
  };
  return {
    list,
    isOff: () => isOff,
    changed: (field, reason) => add("changed", field, reason),
    leftOut: (field, reason) => add("left out", field, reason),
    off(field, reason) {
      isOff = true;
      add("left out", field, `${reason}; it is off`);
    },
  };
}
