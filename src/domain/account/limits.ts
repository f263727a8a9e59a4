const MIB = 1_048_576;

/**
 * What is limited of an account, under the names that the API, the settings and the metrics use, and how much of it unless set. Generous: more than one person
 * can look after. What the API takes is counted in records, and all of it in bytes; of evidence, which no request adds, the oldest gives way.
 */
export const defaultLimits = {
  subaccounts: 1000,
  checks: 50_000,
  contacts: 10_000,
  contactgroups: 5000,
  notificationprofiles: 5000,
  schedules: 10_000,
  maintenances: 5000,
  statuspages: 1000,
  incidents: 10_000,
  configuration: 256 * MIB,
  evidence: 256 * MIB,
} as const satisfies Readonly<Record<string, number>>;

export type LimitedKind = keyof typeof defaultLimits;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the limits
export const limitedKinds = Object.keys(defaultLimits) as readonly LimitedKind[];

/** How much an account may keep of each kind, its subaccounts included; 0 is no limit. */
export type AccountLimits = Readonly<Record<LimitedKind, number>>;

/** How much of each kind is used; what was never used is missing. */
export type Usage = Readonly<Partial<Record<LimitedKind, number>>>;

/** Returns the kinds whose usage has grown and now exceeds the limit. */
export function exceeded(
  limits: AccountLimits,
  before: Usage,
  after: Usage,
): readonly LimitedKind[] {
  return grown(before, after).filter(
    (kind) => limits[kind] > 0 && (after[kind] ?? 0) > limits[kind],
  );
}

/** Share of a limit from which the operator is warned. */
const NEAR = 0.8;

/** The kinds that come near their limit with this change. */
export function nearing(
  limits: AccountLimits,
  before: Usage,
  after: Usage,
): readonly LimitedKind[] {
  const isNear = (usage: Usage, kind: LimitedKind): boolean =>
    limits[kind] > 0 && (usage[kind] ?? 0) >= limits[kind] * NEAR;
  return grown(before, after).filter((kind) => isNear(after, kind) && !isNear(before, kind));
}

/** The share of each limit that is used. */
export function sharesOf(
  limits: AccountLimits,
  usage: Usage,
): Readonly<Record<LimitedKind, number>> {
  const share = (kind: LimitedKind): number =>
    limits[kind] === 0 ? 0 : (usage[kind] ?? 0) / limits[kind];
  return byKind(share);
}

/** A value for each kind. */
export function byKind<Value>(
  valueOf: (kind: LimitedKind) => Value,
): Readonly<Record<LimitedKind, Value>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets its keys
  return Object.fromEntries(limitedKinds.map((kind) => [kind, valueOf(kind)])) as Readonly<
    Record<LimitedKind, Value>
  >;
}

function grown(before: Usage, after: Usage): readonly LimitedKind[] {
  return limitedKinds.filter((kind) => (after[kind] ?? 0) > (before[kind] ?? 0));
}
