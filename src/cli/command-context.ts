import type { LocationKeyId } from "../bus/location-key.ts";
import type { Clock } from "../kit/clock.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import type { AccountAdmin } from "../store/transactions/account-admin.ts";
import type { TokenAdmin } from "../store/transactions/token-admin.ts";
import type { Terminal } from "./output/terminal.ts";

/** Value that may be loaded later, so that no command waits for what it does not need. */
type Loaded<Value> = Value | Promise<Value>;

/** Parts of the process and of the local settings that commands use. */
export interface CommandContext {
  readonly version: string;
  /** Writes the result of a command to standard output. */
  readonly print: (text: string) => void;
  /** Writes warnings, errors and hints to standard error. */
  readonly printError: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly terminal: Terminal;
  /** Folder of the user's command line configuration. */
  readonly configFolder: string;
  /** Throws if the settings are invalid. */
  readonly settings: () => Loaded<LocalSettings>;
  readonly tokenAdmin: () => Loaded<TokenAdmin>;
  readonly accountAdmin: () => Loaded<AccountAdmin>;
  /** Returns the key of a location, as text; throws if this machine has no instance key. */
  readonly locationKey: (location: string, id: LocationKeyId) => Loaded<string>;
  /** Runs a probe with these settings in addition to the local ones, until the process is asked to stop. */
  readonly runProbe: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** Copies an installation, and calls back for each part that is the same at both ends. */
  readonly copyStore: (
    places: { readonly from: string; readonly to: string },
    copied: (part: { readonly name: string; readonly rows: number }) => void,
  ) => Promise<{ readonly keyFolder: string | undefined }>;
  /** Backs up the installation of the settings into a new folder. */
  readonly backup: (folder: string) => Promise<BackupMade>;
  /** Stores a backup of the installation of the settings in a place for backups; that of the settings unless one is given. */
  readonly storeBackup: (to: string | undefined) => Promise<BackupStored>;
  /** The backups in a place, oldest first. */
  readonly listBackups: (from: string | undefined) => Promise<{
    readonly place: string;
    readonly backups: readonly StoredBackup[];
  }>;
  /** Reads a whole backup without restoring it; throws if it could not be restored. */
  readonly verifyBackup: (wish: BackupSelection) => Promise<{
    readonly name: string;
    readonly manifest: BackupMade;
  }>;
  /** Makes a pair of keys for backups. */
  readonly makeBackupKey: () => Promise<{ readonly identity: Secret; readonly recipient: string }>;
  /** Puts a backup into the place of the settings. */
  readonly restore: (wish: BackupSelection & { readonly replace: boolean }) => Promise<{
    readonly name: string;
    readonly manifest: BackupMade;
    readonly settled: { readonly alerts: number; readonly mails: number } | undefined;
    readonly kept: string | undefined;
  }>;
  /** Examines the requirements and state of an installation; outside servers are contacted only if named. */
  readonly examine: (outside: OutsideServers) => AsyncIterable<ReportedFinding>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From now on a signal does not end the process, but aborts this. */
  readonly untilStopped: () => AbortSignal;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
}

export interface OutsideServers {
  /** The URL of a server of the web. */
  readonly reach: string | undefined;
  readonly ntp: { readonly host: string; readonly port?: number } | undefined;
}

export interface BackupMade {
  readonly taken_at: string;
  /** Location of the instance key. */
  readonly key: "file" | "setting";
  readonly files: readonly { readonly bytes: number }[];
  readonly rows: Readonly<Record<string, number>>;
}

/** Selected backup and its key. */
export interface BackupSelection {
  /** A folder or a file of this machine, the name of a stored backup, or `latest`. */
  readonly backup: string;
  /** The place of stored backups; undefined for that of the settings. */
  readonly from?: string | undefined;
  /** A file with secret keys of age. */
  readonly keyFile?: string | undefined;
}

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
  readonly installation: string;
  /** The instant of the backup, in ms since the epoch. */
  readonly at: number;
  readonly isEncrypted: boolean;
}

export interface BackupStored {
  readonly manifest: BackupMade;
  readonly place: string;
  readonly backup: StoredBackup;
  readonly removed: readonly StoredBackup[];
  readonly seconds: number;
}

/** Green is well, amber works and could be better, red does not work. */
export interface ReportedFinding {
  readonly name: string;
  readonly state: "green" | "amber" | "red";
  readonly found: string;
  /** Advice; missing if all is well. */
  readonly advice?: string | undefined;
}

export interface LocalSettings {
  /** The base URL of the installation. */
  readonly url: string;
  readonly token: string | undefined;
}

/** An error that the user can correct; its message is printed without a stack. */
export class CommandError extends Error {}

/** The end of a command that did what it was to do, and says by its exit code what it found. */
export class CommandEnd extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
