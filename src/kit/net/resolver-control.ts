import { randomBytes } from "node:crypto";

import { waitAtMost, type Clock } from "../clock.ts";
import { codeOf } from "../errors.ts";
import { sharingNextRun } from "../next-run.ts";
import { isPublicAddress } from "./public-address.ts";

/** Result of a lookup without an answer about the name: the resolver refused it, or failed or did not respond. */
export type Unanswered = "refused" | "silent";

/** Finds out after a failed lookup whether the resolver works, so that its failure is not taken for one of the name. */
export interface ResolverControl {
  /** Records a resolved name, from which names are derived that nobody has requested. */
  readonly answered: (name: string, addresses: readonly string[]) => void;
  /** Whether the resolver works, and worked when it left the lookup of a name unanswered. */
  readonly works: (unanswered: Unanswered, name?: string) => Promise<boolean>;
  /** Whether a resolver that found names before answers no control query now. */
  readonly isLost: () => Promise<boolean>;
}

/** Result of a control query. A resolver that refuses the query responds, but may refuse every name. */
type Finding = "answers" | "refuses" | "silent";

/** A zone in which a control asks for a name that does not exist: a top-level domain, or a host that was found. */
interface Zone {
  readonly kind: "top" | "public" | "private";
  readonly name: string;
}

interface Deps {
  readonly ask: (name: string) => Promise<unknown>;
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
}

/** Two control queries in a row must fit into the time that a report has beyond its job's timeout. */
const CONTROL_WITHIN_MS = 1500;
/** The name that failed may be one of them, so a second is kept. */
const MAX_NAMES = 2;
/** Largest zone, used until a name of the Internet was resolved. */
const LARGEST_ZONE = "com";
const LABEL_BYTES = 10;
/** RFC 1035, 2.3.4, less the random label and its dot. */
const MAX_NAME_LENGTH = 253 - 2 * LABEL_BYTES - 1;
/** Default maximum time for which resolvers cache failures; RFC 9520 requires at least a second. */
const FAILURE_KEPT_MS = 30_000;

/** Errors that are answers about the name. */
const ANSWERS: ReadonlySet<string> = new Set(["ENODATA", "ENOTFOUND"]);
/** Refusals of the query by a server that otherwise works, such as one without access to the Internet. */
const REFUSALS: ReadonlySet<string> = new Set(["EREFUSED", "ENOTIMP", "EFORMERR"]);

/**
 * Asks for random names, which no cache holds, in the top-level domains of the public names that were found last, and below the names
 * themselves. Any answer shows that the resolver reaches the zone. A refusal does so only for a lookup that was not refused itself: a
 * forwarder without a server to forward to refuses everything.
 */
export function createResolverControl({ ask, clock }: Deps): ResolverControl {
  const found: Record<"public" | "private", readonly string[]> = { public: [], private: [] };
  /** Whether a top-level domain ever answered, and when one last did not. */
  let hasInternet = false;
  let topSilentAt = -Infinity;

  const query = async (zone: Zone): Promise<Finding> => {
    try {
      await ask(unknownNameIn(zone));
      return "answers";
    } catch (error) {
      const code = codeOf(error) ?? "";
      if (ANSWERS.has(code)) return "answers";
      return REFUSALS.has(code) ? "refuses" : "silent";
    }
  };
  const isFound = async (name: string): Promise<boolean> => {
    let isAnswered = false;
    const asking = ask(name).then(() => (isAnswered = true));
    await waitAtMost(asking, CONTROL_WITHIN_MS, clock);
    return isAnswered;
  };
  const control = /* guard: control queries that runs share = argument */ sharingNextRun(
    async () => {
      const findings = await findAll(zonesOf(found), query, clock.setTimer);
      if (bestOf(findings, ({ kind }) => kind === "top") !== "answers")
        topSilentAt = clock.monotonic();
      else hasInternet = true;
      return findings;
    },
  );

  const works: ResolverControl["works"] = async (unanswered, name) => {
    const failedBefore = topSilentAt;
    const [findings, hasReturned] = await Promise.all([
      control(),
      name !== undefined && isFound(name),
    ]);
    // The resolver now answers the query it left unanswered, so it was the cause.
    if (hasReturned) return false;
    const top = bestOf(findings, ({ kind }) => kind === "top");
    // Its answer for the name may be a cached failure.
    if (top === "answers")
      return name === undefined || clock.monotonic() - failedBefore > FAILURE_KEPT_MS;
    const best = bestOf(findings, (zone) => isEvidence(zone, { name, hasInternet }));
    return best === "answers" || (best === "refuses" && unanswered !== "refused");
  };

  return {
    works,
    isLost: async () => found.public.length + found.private.length > 0 && !(await works("silent")),
    answered(spelled, [address = ""]) {
      const name = withoutLastDot(spelled);
      const kind = isPublicAddress(address) ? "public" : "private";
      const names = found[kind];
      if (names[0] === name || name.length > MAX_NAME_LENGTH) return;
      found[kind] = [name, ...names.filter((other) => other !== name)].slice(0, MAX_NAMES);
    },
  };
}

/** Top-level domains first, without which nothing of the Internet is found. */
function zonesOf(found: Record<"public" | "private", readonly string[]>): readonly Zone[] {
  const kind = found.public.length > 0 ? "public" : "private";
  const tops = new Set(found.public.map(topOf));
  if (tops.size === 0) tops.add(LARGEST_ZONE);
  return [
    ...[...tops].map((name): Zone => ({ kind: "top", name })),
    ...found[kind].map((name): Zone => ({ kind, name })),
  ];
}

/** A name without a dot is resolved locally, like that of a container, and therefore queried unchanged. */
function unknownNameIn({ kind, name }: Zone): string {
  const isLocal = kind !== "top" && !name.includes(".");
  return isLocal ? name : `${randomBytes(LABEL_BYTES).toString("hex")}.${name}`;
}

/**
 * Returns whether an answer from the zone shows that the resolver could have found the name. Below one host, a resolver can conclude from a few signed records
 * that nothing exists (RFC 8198), so hosts count only in a network in which top-level domains are not answered. A private zone may be the resolver's own.
 */
function isEvidence(
  zone: Zone,
  { name, hasInternet }: { readonly name: string | undefined; readonly hasInternet: boolean },
): boolean {
  if (zone.kind === "public") return !hasInternet;
  if (zone.kind === "top" || name === undefined) return true;
  return topOf(zone.name) === topOf(withoutLastDot(name));
}

function withoutLastDot(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}

/** Empty for a name without a dot. */
function topOf(name: string): string {
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
}

function bestOf(findings: ReadonlyMap<Zone, Finding>, counts: (zone: Zone) => boolean): Finding {
  const counted = new Set<Finding>();
  for (const [zone, finding] of findings) if (counts(zone)) counted.add(finding);
  if (counted.has("answers")) return "answers";
  return counted.has("refuses") ? "refuses" : "silent";
}

/** Collects results until all queries have ended, a top-level domain has answered, or the time is over. */
function findAll(
  zones: readonly Zone[],
  query: (zone: Zone) => Promise<Finding>,
  setTimer: Clock["setTimer"],
): Promise<ReadonlyMap<Zone, Finding>> {
  return new Promise((resolve) => {
    const findings = new Map<Zone, Finding>();
    const deadline = setTimer(() => resolve(findings), CONTROL_WITHIN_MS);
    for (const zone of zones)
      void query(zone).then((finding) => {
        findings.set(zone, finding);
        const isDecided = zone.kind === "top" && finding === "answers";
        if (!isDecided && findings.size < zones.length) return;
        deadline.cancel();
        resolve(findings);
      });
  });
}
