import type { Check } from "../../src/domain/check.ts";
import type { Reason } from "../../src/domain/run/outcome.ts";
import { aCheck } from "../record-builders.ts";

export interface StormCheck {
  readonly record: Omit<Check, "no">;
  readonly host: string;
  readonly reason: Exclude<Reason, "ok">;
  readonly message: string;
}

const OF_EACH = 60;
const ONE_HOST = "db1.example.net";
const FIRST_PORT = 5400;

/** Why those of other hosts fail, in turn. */
const ends = [
  { reason: "timeout", message: "no answer within 5 s" },
  { reason: "refused", message: "connection refused" },
  { reason: "dns", message: "NXDOMAIN" },
  { reason: "status", message: "HTTP status returned: 503" },
] as const;

/** Sixty checks of one host, which fail for one reason, and sixty of others; every minute, at the seconds that their ids lead to. */
export function stormChecks({ diagnose }: { readonly diagnose: boolean }): readonly StormCheck[] {
  const numbers = Array.from({ length: OF_EACH }, (_, index) => index);
  const common = { rechecks: 2, diagnose };
  return [
    ...numbers.map((number) => ({
      record: aCheck(`ALICE-DB${number}`, {
        ...common,
        label: `Database ${two(number)}`,
        parameters: { target: ONE_HOST, port: FIRST_PORT + number },
      }),
      host: ONE_HOST,
      reason: "refused" as const,
      message: "connection refused",
    })),
    ...numbers.map((number) => {
      const host = `site${two(number)}.example.org`;
      const end = ends[number % ends.length] ?? ends[0];
      return {
        record: aCheck(`ALICE-SITE${number}`, {
          ...common,
          label: `Site ${two(number)}`,
          parameters: { target: host, port: 443 },
        }),
        host,
        ...end,
      };
    }),
  ];
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
