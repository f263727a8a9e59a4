import type { Clock, Timer } from "../clock.ts";
import { codeOf } from "../errors.ts";

/** How a lookup ended without an answer about the name: the resolver refused it, or failed or was silent. */
export type Unanswered = "refused" | "silent";

/** Finds out after a failed lookup whether the resolver works, so that its failure is not taken for one of the name. */
export interface ResolverControl {
  /** Notes a name that the resolver found: it is asked for again as a control. */
  readonly answered: (name: string) => void;
  /** Whether the resolver works, and worked when it left the lookup of a name unanswered. */
  readonly works: (unanswered: Unanswered, name?: string) => Promise<boolean>;
}

/** What a control query showed. A resolver that refuses the query answers, but may refuse every name. */
type Finding = "answers" | "refuses" | "silent";

/** Two control queries in a row must fit into the time that a report has beyond its job's timeout. */
const CONTROL_WITHIN_MS = 1500;
/** The name that failed may be one of them, so a second is kept. */
const MOST_NAMES = 2;

/** Errors that are answers about the name. */
const ANSWERS: ReadonlySet<string> = new Set(["ENODATA", "ENOTFOUND"]);
/** Refusals of the query by a server that otherwise works, such as one without access to the root. */
const REFUSALS: ReadonlySet<string> = new Set(["EREFUSED", "ENOTIMP", "EFORMERR"]);

/**
 * Asks for the name servers of the root, and for the names that were found last, all at once. Any answer shows that the resolver works. A
 * refusal does so only for a lookup that was not refused itself: a forwarder without a server to forward to refuses everything.
 */
export function createResolverControl(
  ask: (name: string, type: "A" | "NS") => Promise<unknown>,
  setTimer: Clock["setTimer"],
): ResolverControl {
  let names: readonly string[] = [];
  /** The control that is under way, and the next one, which all callers since share. */
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Finding> | undefined;

  const query = async (name: string, type: "A" | "NS"): Promise<Finding> => {
    try {
      await ask(name, type);
      return "answers";
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (ANSWERS.has(code)) return "answers";
      return REFUSALS.has(code) ? "refuses" : "silent";
    }
  };
  const isFound = (name: string): Promise<boolean> =>
    new Promise((resolve) => {
      const deadline = setTimer(() => resolve(false), CONTROL_WITHIN_MS);
      const end = (found: boolean): void => {
        deadline.cancel();
        resolve(found);
      };
      ask(name, "A").then(
        () => end(true),
        () => end(false),
      );
    });
  const control = (): Promise<Finding> => {
    next = undefined;
    const queries = [query(".", "NS"), ...names.map((name) => query(name, "A"))];
    const found = firstAnswer(queries, setTimer);
    current = found;
    return found;
  };

  return {
    answered(name) {
      if (names[0] === name) return;
      names = [name, ...names.filter((other) => other !== name)].slice(0, MOST_NAMES);
    },
    async works(unanswered, name) {
      // An earlier control says nothing about the resolver now.
      next ??= current.then(control);
      const [found, hasReturned] = await Promise.all([next, name !== undefined && isFound(name)]);
      // It finds now what it left unanswered: the silence was its own.
      if (hasReturned) return false;
      return found === "answers" || (found === "refuses" && unanswered !== "refused");
    },
  };
}

/** `answers` once any query has an answer; else the best that was found until all have ended, or the time is over. */
function firstAnswer(
  queries: readonly Promise<Finding>[],
  setTimer: Clock["setTimer"],
): Promise<Finding> {
  return new Promise((resolve) => {
    let best: Finding = "silent";
    let left = queries.length;
    const deadline: Timer = setTimer(() => resolve(best), CONTROL_WITHIN_MS);
    for (const query of queries)
      void query.then((found) => {
        left -= 1;
        if (found !== "silent") best = found;
        if (found !== "answers" && left > 0) return;
        deadline.cancel();
        resolve(best);
      });
  });
}
