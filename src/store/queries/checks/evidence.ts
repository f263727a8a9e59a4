import type { Kysely } from "kysely";

import type { EvidenceReads, EvidenceWrites } from "../../evidence.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../tables.ts";

/** Of a check; beside what it flipped with. */
const NEWEST_KEPT = 20;
/** Of a check. A site that shows several in turn would fill the disk. */
const CERTIFICATES_KEPT = 100;

export function createEvidence(db: Kysely<Database>): EvidenceReads & EvidenceWrites {
  return { ...createEvidenceTexts(db), ...createCertificates(db) };
}

function createEvidenceTexts(
  db: Kysely<Database>,
): Pick<EvidenceReads & EvidenceWrites, "list" | "record"> {
  return {
    async list({ checkNo, from, to }) {
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
    async record({ checkNo, startedAt, flipped, text }) {
      await db
        .insertInto("evidence")
        .values({ check_no: checkNo, started_at: startedAt, flipped: toFlag(flipped), text })
        .execute();
      const oldestKept = db
        .selectFrom("evidence")
        .select("started_at")
        .where("check_no", "=", checkNo)
        .where("flipped", "=", 0)
        .orderBy("started_at", "desc")
        .limit(1)
        .offset(NEWEST_KEPT - 1);
      await db
        .deleteFrom("evidence")
        .where("check_no", "=", checkNo)
        .where("flipped", "=", 0)
        .where("started_at", "<", oldestKept)
        .execute();
    },
  };
}

function createCertificates(
  db: Kysely<Database>,
): Pick<EvidenceReads & EvidenceWrites, "listCertificates" | "recordCertificate"> {
  return {
    async listCertificates({ checkNo, from, to }) {
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
    async recordCertificate({ checkNo, location, observedAt, subject, issuer, validTo }) {
      await db
        .updateTable("certificates")
        .set({ replaced_at: observedAt })
        .where("check_no", "=", checkNo)
        .where("location", "=", location)
        .where("replaced_at", "is", null)
        .execute();
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
  };
}
