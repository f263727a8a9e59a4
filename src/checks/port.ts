import { z } from "zod";

import { failed, passed } from "../domain/outcome.ts";
import type { Outcome } from "../domain/outcome.ts";
import { dial, Interrupted } from "../kit/net/dial.ts";
import type { DialProgress } from "../kit/net/dial.ts";
import { codeOf } from "../kit/errors.ts";
import { defineCheckType } from "./check-type.ts";
import type { RunContext } from "./check-type.ts";
import { failureOf } from "./outcome/failure.ts";
import { host, invert, ipv6, portNumber } from "./parameters/parameters.ts";
import { timingsOf } from "./outcome/timings.ts";

interface Parameters {
  readonly target: string;
  readonly port: number;
  readonly invert: boolean;
  readonly ipv6: boolean;
}

export const portCheck = defineCheckType({
  type: "PORT",
  summary: "Connects to a TCP port, and passes when it accepts; inverted, when it does not",
  target: "host",
  example: { target: "db.example.com", port: 5432, invert: false, ipv6: false },
  schema: z.object({ target: host, port: portNumber, invert, ipv6 }),
  run: knock,
});

type Rule = Pick<Parameters, "port" | "invert">;

async function knock(
  { target, port, invert, ipv6 }: Parameters,
  context: RunContext,
): Promise<Outcome> {
  const start = context.monotonic();
  let progress: DialProgress | undefined;
  try {
    const { socket, address, phases } = await dial({
      ...context,
      host: target,
      port,
      family: ipv6 ? 6 : undefined,
      onProgress: (made) => (progress = made),
    });
    socket.destroy();
    const timings = timingsOf({ ...phases, total: phases.connect }, 0);
    return judgeOpen({ port, invert }, { address, timings });
  } catch (error) {
    const total = context.monotonic() - start;
    const timings = timingsOf({ ...progress?.phases, total }, 0);
    return { ...judgeFailure({ port, invert }, error), timings };
  }
}

function judgeOpen({ port, invert }: Rule, seen: Pick<Outcome, "address" | "timings">): Outcome {
  if (!invert) return passed("Connected", `Resolved: ${seen.address}`, seen);
  return { ...failed("mismatch", "Connected", `Port ${port} is open: ${seen.address}`), ...seen };
}

/** A port is closed where its address does not let us in; a name that leads to no address says nothing of it. */
function judgeFailure({ port, invert }: Rule, error: unknown): Outcome {
  const failure = failureOf(error);
  // A closed port refuses; one that resets has accepted, only the reset was faster than our look at it.
  if (failure.address !== undefined && codeOf(error) === "ECONNRESET")
    return judgeOpen({ port, invert }, { address: failure.address });
  const found =
    failure.reason !== "dns" &&
    failure.reason !== "blocked" &&
    !(error instanceof Interrupted && error.phase === "dns");
  return invert && found
    ? { ...failure, ...passed(failure.text, `Port ${port} is closed: ${failure.message}`) }
    : failure;
}
