import type { Alert, AlertKind, AlertStatus, DropReason, EarlierAlert } from "../domain/alert.ts";

/** One attempt to hand an alert over. */
export interface Delivery {
  readonly alertId: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly accepted: boolean;
  /** What the receiver, or the way to it, said. */
  readonly response: string;
}

export interface NewDelivery extends Delivery {
  /** Whom it was for, which may be another than the alert was put into words for. */
  readonly to?: string;
}

/** What was, or was not, told to an address. */
export interface Notification {
  readonly alertId: string;
  readonly accountId: string;
  readonly checkId: string;
  readonly kind: AlertKind;
  readonly contactId: string;
  readonly addressId: string;
  readonly status: AlertStatus;
  readonly reason: string | undefined;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly network: string;
  /** When it was created, and when its last attempt ended. */
  readonly createdAt: number;
  readonly dueAt: number;
  readonly at: number;
  readonly attempts: number;
  /** Only while it waits. */
  readonly nextAttemptAt: number | undefined;
  readonly response: string | undefined;
  /** The message that told it, where that told others too. */
  readonly bundle: string | undefined;
}

export interface NotificationQuery {
  readonly accountIds: readonly string[];
  readonly checkId: string | undefined;
  readonly from: number;
  readonly limit: number;
  /** Also those that were dropped before any attempt. */
  readonly dropped: boolean;
}

export interface AlertReads {
  /** Of an outage's beginning, downs and failing firsts. */
  readonly listByOutage: (outage: string) => Promise<readonly EarlierAlert[]>;
  /** When the next alert that nobody holds can be claimed; undefined where none waits. */
  readonly nextDueAt: () => Promise<number | undefined>;
  /** Alerts that could be claimed at `now`, as a claim would give them, oldest first: for the time in which no claim can be stored. */
  readonly listDue: (now: number, limit: number) => Promise<readonly Alert[]>;
  readonly findBundle: (id: string) => Promise<Bundle | undefined>;
  /** By alert what it was rendered to, of those that are open and were rendered on their own. */
  readonly findRendered: (
    alertIds: readonly string[],
  ) => Promise<ReadonlyMap<string, RenderedMessage>>;
  /** Newest first. */
  readonly listNotifications: (query: NotificationQuery) => Promise<readonly Notification[]>;
}

/** How an attempt, or the decision against one, leaves an alert. */
export type AttemptEnd =
  | { readonly status: "delivered"; readonly at: number }
  | {
      readonly status: "failed";
      readonly at: number;
      readonly reason: string;
      readonly possiblySent: boolean;
    }
  | { readonly status: "dropped"; readonly at: number; readonly reason: DropReason }
  | { readonly status: "waiting"; readonly nextAttemptAt: number; readonly possiblySent: boolean };

/** What is sent to an address. It is stored before the first attempt, and every later one sends the same. */
export interface RenderedMessage {
  readonly kind: AlertKind;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly network: string;
  /** All else that is sent, as whoever rendered it wrote it down; undefined of an alert in a bundle. Forgotten once the alert has ended. */
  readonly details?: string | undefined;
}

/** Alerts that leave as one message, which no retry changes. */
export interface Bundle {
  readonly id: string;
  /** How many alerts it tells of. */
  readonly size: number;
  /** As whoever made it wrote it down. */
  readonly message: string;
}

/** An alert as whoever has claimed it knows it. */
export interface ClaimedAlert {
  readonly alertId: string;
  readonly attempt: number;
}

export interface NewBundle extends Omit<Bundle, "size"> {
  readonly accountId: string;
  readonly members: readonly (ClaimedAlert & { readonly wording: RenderedMessage })[];
}

/** The kinds of address that may be told several alerts at once, and how many ms an alert to one that was just told of another check waits for more. */
export type Grouping = ReadonlyMap<string, number>;

export interface AlertWrites {
  readonly insert: (
    alert: Omit<Alert, "attempts" | "possiblySent" | "checkId" | "bundle">,
  ) => Promise<void>;
  /**
   * Takes due alerts under a lease. An alert is not claimable while an earlier one of the same check and address is open,
   * nor while another holds it. A claimed one counts as possibly left until its end is known. The alerts of a bundle are taken
   * together, and so are those that may share a message, beyond the limit.
   */
  readonly claim: (lease: {
    readonly now: number;
    readonly until: number;
    readonly limit: number;
    readonly company?: Grouping;
  }) => Promise<readonly Alert[]>;
  /** What alerts say that are told together; one that stood in another bundle leaves it. Throws Conflict where somebody claimed one meanwhile. */
  readonly bundle: (bundle: NewBundle) => Promise<void>;
  /** Takes alerts that nobody claimed meanwhile out of their bundles, for each leaves on its own. */
  readonly unbundle: (members: readonly ClaimedAlert[]) => Promise<void>;
  /**
   * Settles an alert after an attempt or a decision; false where it was settled already. One that was dropped because of its
   * check while an attempt nobody had claimed was under way is still told what became of that attempt. Where somebody claimed
   * it for a later attempt than `tried`, only an acceptance counts.
   */
  readonly finishAttempt: (
    alertId: string,
    end: AttemptEnd,
    tried?: Pick<Alert, "attempts" | "possiblySent">,
  ) => Promise<boolean>;
  /** What an alert says on its own, unless somebody has claimed it for a later attempt. */
  readonly setRendered: (
    alertId: string,
    rendered: RenderedMessage,
    attempt?: number,
  ) => Promise<void>;
  readonly addDelivery: (delivery: NewDelivery) => Promise<void>;
  readonly drop: (alertIds: readonly string[], reason: DropReason, at: number) => Promise<void>;
  /** Drops what would call the check up as its first result, and is not due by then. */
  readonly dropEarlyFirst: (checkNo: number, reason: DropReason, at: number) => Promise<void>;
  /** Drops every alert of the check that has not begun to leave. */
  readonly dropUnsent: (checkNo: number, reason: DropReason, at: number) => Promise<void>;
}
