import { isNetworkFailure, type Outcome } from "../domain/run/outcome.ts";
import { isLoopbackAddress, type Egress } from "../kit/net/egress.ts";
import type { Clock } from "../kit/clock.ts";
import {
  createCarrierNotes,
  createFindLocalNetworkProblem,
  type CarrierNote,
  type FindLocalNetworkProblem,
} from "../kit/net/local-network.ts";
import type { ConnectivityProbe } from "./connectivity-probe.ts";

/** State of the location after a failed run. */
export interface SelfCheck {
  /** Reason why the run says nothing about its target; undefined if it may. */
  readonly trouble:
    | { readonly error: "offline" | "no_resolver"; readonly message: string }
    | undefined;
  /** Whether the location was shown to be online after the failure. */
  readonly connectivityConfirmed: boolean;
  /** Whether the resolver did not respond when a private target failed that was dialled without it. */
  readonly resolverSilent: boolean;
}

interface Deps {
  readonly egress: Pick<Egress, "isPublic" | "resolverWorks" | "isResolverLost">;
  readonly connectivity: ConnectivityProbe;
  readonly clock: Pick<Clock, "monotonic">;
  readonly findLocalNetworkProblem?: FindLocalNetworkProblem;
  readonly noteCarriers?: () => CarrierNote;
}

export interface OwnTrouble {
  /** Notes the state of the links of this machine when a run starts. */
  readonly noteCarriers: () => CarrierNote;
  /** What the location shows of itself after a run, with the note of its start. */
  readonly find: (outcome: Outcome, noted: CarrierNote) => Promise<SelfCheck> | SelfCheck;
}

const fine: SelfCheck = {
  trouble: undefined,
  connectivityConfirmed: false,
  resolverSilent: false,
};

/** Judges whether a location is able to tell that a target failed: its links and routes, its resolver, and its connectivity addresses. */
export function createOwnTrouble({
  egress,
  connectivity,
  clock,
  findLocalNetworkProblem = createFindLocalNetworkProblem(),
  noteCarriers = createCarrierNotes(clock),
}: Deps): OwnTrouble {
  const look = async (outcome: Outcome, noted: CarrierNote): Promise<SelfCheck> => {
    const { unanswered, lookup, reason } = outcome;
    // A lookup that failed was not of the address that the run dialled before.
    const address = unanswered === undefined ? outcome.address : undefined;
    const dependsOnInternet = address === undefined || egress.isPublic(address);
    const isPrivate = !dependsOnInternet && !isLoopbackAddress(address);
    const [wayTrouble, isOnline, works, resolverSilent] = await Promise.all([
      findLocalNetworkProblem(address, dependsOnInternet ? "public" : "private", noted),
      dependsOnInternet && connectivity.isConfigured ? connectivity.isOnline() : undefined,
      unanswered === undefined ? true : (egress.resolverWorks?.(unanswered, lookup) ?? true),
      isPrivate && (egress.isResolverLost?.() ?? false),
    ]);
    // A resolver that knows that a name has no address was reached.
    const isNameless = unanswered === undefined && reason === "dns";
    // Connectivity addresses are dialled without the resolver, and say nothing about a lookup.
    const connectivityConfirmed = (isOnline === true && unanswered === undefined) || isNameless;
    const found = (error: "offline" | "no_resolver", message: string): SelfCheck => ({
      trouble: { error, message },
      connectivityConfirmed,
      resolverSilent,
    });
    if (isOnline === false) return found("offline", "no connectivity address answers");
    // A responding resolver needs no Internet access: its network may have none.
    const wasAnswered = unanswered === undefined ? isNameless : works;
    if (wayTrouble !== undefined && !wasAnswered) return found("offline", wayTrouble);
    if (!works) return found("no_resolver", "it answers no control query, or finds the name now");
    return { trouble: undefined, connectivityConfirmed, resolverSilent };
  };
  return {
    noteCarriers,
    find: (outcome, noted) =>
      outcome.unanswered !== undefined || isNetworkFailure(outcome) ? look(outcome, noted) : fine,
  };
}
