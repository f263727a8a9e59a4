import type { Probe } from "./monitors/monitor.ts";

/** Where a target is. */
export interface SiteAddress {
  readonly name: string;
  readonly address: string;
  readonly address6: string;
}

/** The server that runs at a target. */
export type Service = "http" | "https" | "tcp" | "dns" | "smtp";

/** Response of a name server for a name; `other` is the address of an unrelated server, `moved` of one that replaced the first. */
export type NameAnswer = "nxdomain" | "servfail" | "silence" | "other" | "empty" | "moved";

export type CertificateFault =
  | "expired"
  | "not-yet-valid"
  | "wrong-host"
  | "self-signed"
  | "unknown-authority"
  | "ends-soon";

/** How a target fails. */
export type Failure =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly body?: string;
      readonly location?: string;
    }
  | {
      readonly kind: "http";
      readonly how:
        | "cut-body"
        | "slow-headers"
        | "slow-body"
        | "hang"
        | "reset"
        | "close"
        | "garbage";
    }
  | { readonly kind: "certificate"; readonly fault: CertificateFault }
  | { readonly kind: "tls"; readonly how: "old-version" | "cut-handshake" }
  | { readonly kind: "answer"; readonly answer: NameAnswer }
  | { readonly kind: "name"; readonly answer: NameAnswer }
  | { readonly kind: "mail"; readonly how: "greets-4xx" | "hang" }
  | {
      readonly kind: "packets";
      readonly how: "dropped" | "dropped6" | "refused" | "lossy" | "unpinged" | "one-location";
    }
  | { readonly kind: "latency"; readonly milliseconds: number };

/** When a target fails: once for minutes, again and again for some seconds, down and up for minutes, or never. */
export type Pattern =
  | { readonly kind: "outage" }
  | { readonly kind: "blips"; readonly seconds: number }
  | { readonly kind: "flapping"; readonly seconds: number }
  | { readonly kind: "steady" };

/** Whether an alarm is required, allowed or false. */
export type Expectation = "must" | "may" | "never";

/** One target, and how it fails. */
export interface Scenario {
  /** Also the id of the target. */
  readonly name: string;
  readonly breaks: string;
  readonly service: Service;
  readonly probe: (place: SiteAddress) => Probe;
  readonly failure?: Failure;
  readonly pattern: Pattern;
  readonly expects: Expectation;
  /** Words a person must find in the reason: one alternative of each. */
  readonly words: readonly RegExp[];
  /** Whether it applies only to monitors with locations. */
  readonly needsLocations?: boolean;
}

/** Kinds of trouble on a monitor's machine. */
export type TroubleKind =
  | "link-down"
  | "network-cut"
  | "resolver-silent"
  | "resolver-servfail"
  | "paused"
  | "disk-full"
  | "killed"
  | "receiver-away"
  | "database-away"
  | "location-cut"
  | "upgraded"
  | "clock-forward"
  | "clock-back";

/** Trouble on a monitor's own machine, during which it must raise no false alarm. */
export interface Trouble {
  readonly name: string;
  readonly breaks: string;
  readonly kind: TroubleKind;
  readonly seconds: number;
  /** Failing target, from before the trouble or its middle until after it; by default nothing fails. */
  readonly outage?: "before" | "during";
  /** Whether its alarm can arrive only after the trouble. */
  readonly isMute: boolean;
}
