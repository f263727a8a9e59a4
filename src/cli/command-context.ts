import type { Clock } from "../kit/clock.ts";
import type { TokenAdmin } from "../store/units/token-admin.ts";

/** What commands have of the process that runs them, and of the installation whose settings it reads. */
export interface CommandContext {
  readonly version: string;
  /** Standard output: what was asked for. */
  readonly print: (text: string) => void;
  /** Standard error: what else is to be said. */
  readonly printError: (text: string) => void;
  readonly readInput: () => Promise<string>;
  /** Throws where the settings cannot be used. */
  readonly settings: () => LocalSettings;
  readonly tokenAdmin: () => TokenAdmin;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
}

export interface LocalSettings {
  /** Where the installation is. */
  readonly url: string;
  readonly token: string | undefined;
}

/** Something the person at the terminal can put right. */
export class CommandError extends Error {}
