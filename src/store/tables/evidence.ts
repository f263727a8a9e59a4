import type { Kysely } from "kysely";

import type { CertificateFacts } from "../../domain/run/outcome.ts";
import { settleAll } from "../../kit/settle-all.ts";
import { toFlag, type NumericBoolean } from "./columns.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly evidence: EvidenceTable;
    readonly certificates: CertificateTable;
  }
}

interface EvidenceTable {
  readonly account_id: string;
  readonly check_no: number;
  readonly started_at: number;
  readonly flipped: NumericBoolean;
  readonly text: string;
}

interface CertificateTable {
  readonly check_no: number;
  readonly observed_at: number;
  readonly location: string;
  readonly subject: string;
  readonly issuer: string;
  readonly valid_to: number;
  /** Time of the next observation at its location; null while it is the latest. */
  readonly replaced_at: number | null;
}

/** A certificate that a location saw. */
export interface LocatedCertificate {
  readonly location: string;
  readonly certificate: CertificateFacts;
}

/** A certificate from the first run that saw it until the next one at that location. */
export interface ObservedCertificate extends CertificateFacts {
  readonly checkNo: number;
  readonly location: string;
  /** Start of the run. */
  readonly observedAt: number;
}

export interface Evidence {
  readonly checkNo: number;
  /** Start of the run that failed, which names its result. */
  readonly startedAt: number;
  /** Whether the check flipped with it: such evidence stays as long as its result does, of the other only the newest. */
  readonly flipped: boolean;
  readonly text: string;
}

/** Maximum evidence per check, besides that of flips. */
const NEWEST_KEPT = 20;
/** Maximum certificates per check, because a site that alternates between several would fill the disk. */
const CERTIFICATES_KEPT = 100;

/** Number of oldest entries removed at once, so that not every failure has to search for them. */
const GIVING_WAY = 100;

/** Both ends belong to the range. */
interface Range {
  readonly checkNo: number;
  readonly from: number;
  readonly to: number;
}

interface Deps {
  readonly engine: Pick<Engine, "countUsage">;
  /** Limit for an account with its subaccounts; 0 means no limit. */
  readonly maxEvidenceBytes: number;
}

export function createEvidenceReads(db: Kysely<Database>) {
  return {
    /** Returns the latest certificate that each location saw for each of these checks. */
    latestCertificates: (
      checkNos: readonly number[],
    ): Promise<ReadonlyMap<number, readonly LocatedCertificate[]>> =>
      latestCertificates(db, checkNos),
    /** Lists certificates shown in the range, oldest first. The first one of each location may have been seen earlier. */
    async listCertificates({ checkNo, from, to }: Range): Promise<readonly ObservedCertificate[]> {
      const before = db
        .selectFrom("certificates")
        .select((eb) => eb.fn.max("observed_at").as("observed_at"))
        .where("check_no", "=", checkNo)
        .where("observed_at", "<", from)
        .groupBy("location");
      const rows = await db
        .selectFrom("certificates")
        .selectAll()
        .where("check_no", "=", checkNo)
        .where((eb) =>
          eb.or([eb.between("observed_at", from, to), eb("observed_at", "in", before)]),
        )
        .orderBy("observed_at")
        .execute();
      return rows.map(({ observed_at, location, subject, issuer, valid_to }) => ({
        checkNo,
        location,
        observedAt: observed_at,
        subject,
        issuer,
        validTo: valid_to,
      }));
    },
    async list({ checkNo, from, to }: Range): Promise<readonly Evidence[]> {
      const rows = await db
        .selectFrom("evidence")
        .selectAll()
        .where("check_no", "=", checkNo)
        .where("started_at", ">=", from)
        .where("started_at", "<=", to)
        .orderBy("started_at")
        .execute();
      return rows.map(({ started_at, flipped, text }) => ({
        checkNo,
        startedAt: started_at,
        flipped: flipped === 1,
        text,
      }));
    },
  };
}

export function createEvidenceWrites(db: Kysely<Database>, deps: Deps) {
  return {
    async recordCertificate({
      checkNo,
      location,
      observedAt,
      subject,
      issuer,
      validTo,
    }: ObservedCertificate): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable("certificates")
        .set({ replaced_at: observedAt })
        .where("check_no", "=", checkNo)
        .where("location", "=", location)
        .where("replaced_at", "is", null)
        .executeTakeFirst();
      await db
        .insertInto("certificates")
        .values({
          check_no: checkNo,
          observed_at: observedAt,
          location,
          subject,
          issuer,
          valid_to: validTo,
          replaced_at: null,
        })
        .execute();
      // The first at a location; only those that follow on another can be too many.
      if (numUpdatedRows === 0n) return;
      const oldestKept = db
        .selectFrom("certificates")
        .select("observed_at")
        .where("check_no", "=", checkNo)
        .orderBy("observed_at", "desc")
        .limit(1)
        .offset(CERTIFICATES_KEPT - 1);
      await db
        .deleteFrom("certificates")
        .where("check_no", "=", checkNo)
        .where("observed_at", "<", oldestKept)
        .execute();
    },
    /** Takes the place of what is kept with that result. */
    record: (evidence: Evidence): Promise<void> => recordText(db, deps, evidence),
  };
}

async function recordText(
  db: Kysely<Database>,
  { maxEvidenceBytes, engine }: Deps,
  { checkNo, startedAt, flipped, text }: Evidence,
): Promise<void> {
  const [check] = await settleAll(
    ownerOf(db, checkNo),
    db
      .deleteFrom("evidence")
      .where("check_no", "=", checkNo)
      .where("started_at", "=", startedAt)
      .execute(),
  );
  // The check was removed meanwhile.
  if (check === undefined) return;
  const insertion = db.insertInto("evidence").values({
    account_id: check.account_id,
    check_no: checkNo,
    started_at: startedAt,
    flipped: toFlag(flipped),
    text,
  });
  const oldestKept = db
    .selectFrom("evidence")
    .select("started_at")
    .where("check_no", "=", checkNo)
    .where("flipped", "=", 0)
    .orderBy("started_at", "desc")
    .limit(1)
    .offset(NEWEST_KEPT - 1);
  await settleAll(
    insertion.execute(),
    db
      .deleteFrom("evidence")
      .where("check_no", "=", checkNo)
      .where("flipped", "=", 0)
      .where("started_at", "<", oldestKept)
      .execute(),
  );
  // Counting locks the account's usage to the end of the unit, so only evidence near the limit is counted before the commit.
  if (maxEvidenceBytes > 0 && check.used + Buffer.byteLength(text) > maxEvidenceBytes) {
    await engine.countUsage(db);
    await makeRoom(db, check.primary_id, maxEvidenceBytes);
  }
}

/** The account of a check, its primary account, and the evidence of both as last counted, in bytes. */
function ownerOf(db: Kysely<Database>, checkNo: number) {
  return db
    .selectFrom("checks")
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .leftJoin("account_usage", (join) =>
      join
        .on("account_usage.account_id", "=", (eb) =>
          eb.fn.coalesce("accounts.parent_id", "accounts.id"),
        )
        .on("account_usage.kind", "=", "evidence"),
    )
    .select((eb) => [
      "checks.account_id",
      eb.fn.coalesce("accounts.parent_id", "accounts.id").as("primary_id"),
      eb.fn.coalesce("account_usage.used", eb.lit(0)).as("used"),
    ])
    .where("checks.no", "=", checkNo)
    .executeTakeFirst();
}

/** Removes the oldest evidence of an account and its subaccounts, including that of flips. */
async function makeRoom(db: Kysely<Database>, ownerId: string, limitBytes: number): Promise<void> {
  for (;;) {
    const kept = await db
      .selectFrom("account_usage")
      .select("used")
      .where("account_id", "=", ownerId)
      .where("kind", "=", "evidence")
      .executeTakeFirst();
    // guard: evidence of an account = then
    if (kept === undefined || kept.used <= limitBytes) return;
    const oldest = await db
      .selectFrom("evidence")
      .select(["check_no", "started_at"])
      .where(
        "account_id",
        "in",
        db
          .selectFrom("accounts")
          .select("id")
          .where((eb) => eb.or([eb("id", "=", ownerId), eb("parent_id", "=", ownerId)])),
      )
      .orderBy("started_at")
      .limit(GIVING_WAY)
      .execute();
    if (oldest.length === 0) return;
    for (const { check_no, started_at } of oldest)
      await db
        .deleteFrom("evidence")
        .where("check_no", "=", check_no)
        .where("started_at", "=", started_at)
        .execute();
  }
}

/** Returns the latest certificate that each location saw for each of these checks. */
export async function latestCertificates(
  db: Kysely<Database>,
  checkNos: readonly number[],
): Promise<ReadonlyMap<number, readonly LocatedCertificate[]>> {
  const rows = await db
    .selectFrom("certificates")
    .select(["check_no", "location", "subject", "issuer", "valid_to"])
    .where("check_no", "in", checkNos)
    .where("replaced_at", "is", null)
    .execute();
  const found = new Map<number, LocatedCertificate[]>();
  for (const { check_no, location, subject, issuer, valid_to } of rows) {
    const certificates = found.get(check_no) ?? [];
    certificates.push({ location, certificate: { subject, issuer, validTo: valid_to } });
    found.set(check_no, certificates);
  }
  return found;
}
