import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";

/** SQLITE_CORRUPT and SQLITE_NOTADB: what is read is not what was written. */
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);
/** The lowest byte; the others say where. */
const PRIMARY = 0xff;
/** SQLITE_IOERR_SHORT_READ: a file ends before what was written to it. */
const SHORT_READ = 522;

/** The operator must act, so every report refers to the guide. */
export function damagedSentence(error: unknown): string {
  return `the database is damaged (${messageOf(error)}): see docs/worst-day.md`;
}

/** Returns whether SQLite says that pages are not as it wrote them. */
export function isDamage(error: unknown): boolean {
  if (codeOf(error) !== "ERR_SQLITE_ERROR" || !(error instanceof Error)) return false;
  if (!("errcode" in error)) return false;
  const code = Number(error.errcode);
  return code === SHORT_READ || DAMAGES.has(code & PRIMARY);
}

export interface DamageWatch {
  /** Runs it; throws Unavailable where it finds that the database is damaged. */
  readonly guard: <Value>(read: () => Value) => Value;
  /** Damage found last. Kept until the process ends, because pages do not recover. */
  readonly found: () => string | undefined;
}

export function createDamageWatch(): DamageWatch {
  let sentence: string | undefined;
  return {
    guard(read) {
      try {
        return read();
      } catch (error) {
        if (!isDamage(error)) throw error;
        sentence = damagedSentence(error);
        throw new Unavailable(sentence, { cause: error });
      }
    },
    found: () => sentence,
  };
}
