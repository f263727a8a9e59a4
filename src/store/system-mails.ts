import type { SystemMail, NewSystemMail } from "../domain/system-mail.ts";

export interface SystemMailReads {
  /** Whether a letter could be claimed at `now`. */
  readonly isDue: (now: number) => Promise<boolean>;
}

export interface SystemMailWrites {
  /** Takes the place of an earlier letter to the contact about the same. */
  readonly insert: (letter: NewSystemMail) => Promise<void>;
  /** Takes the letter that has been due the longest, for this attempt alone: nobody else can claim it before `until`. */
  readonly claim: (lease: {
    readonly now: number;
    readonly until: number;
  }) => Promise<SystemMail | undefined>;
  /** Does nothing where it is gone, or was claimed for a later attempt. */
  readonly postpone: (
    letter: Pick<SystemMail, "id" | "attempts">,
    nextAttemptAt: number,
  ) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}
