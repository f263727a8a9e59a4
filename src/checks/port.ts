import { z } from "zod";

import { failed, isNetworkFailure, passed, type Outcome } from "../domain/run/outcome.ts";
import { dial, Interrupted, type DialProgress } from "../kit/net/dial.ts";
import { codeOf } from "../kit/errors.ts";
import { defineCheckType, type RunContext } from "./check-type.ts";
import { formHints } from "../schema/form-parameter.ts";
import { failureOf } from "./outcome/failure.ts";
import { host, invert, ipv6, portNumber } from "./parameters/parameters.ts";
import { timingsOf } from "./outcome/timings.ts";

interface Parameters {
  readonly target: string;
  readonly port: number;
  readonly invert: boolean;
  readonly ipv6: boolean;
}

const mustBeClosed = invert.clone().register(formHints, {
  title: { en: "The port must be closed", de: "Der Port muss geschlossen sein" },
  help: {
    en: "Passes where nothing accepts connections there",
    de: "Besteht, wenn dort nichts Verbindungen annimmt",
  },
});

export const portCheck = defineCheckType({
  type: "PORT",
  title: { en: "TCP port", de: "TCP-Port" },
  group: "network",
  summary: {
    en: "Connects to a TCP port, and passes if it accepts; inverted, if it does not",
    de: "Verbindet sich mit einem TCP-Port, und besteht, wenn er annimmt; umgekehrt, wenn er nicht annimmt",
  },
  target: "host",
  recognition: { suitsEvery: "port" },
  example: { target: "db.example.com", port: 5432, invert: false, ipv6: false },
  schema: z.object({ target: host, port: portNumber, invert: mustBeClosed, ipv6 }),
  run: probePort,
});

type Rule = Pick<Parameters, "port" | "invert">;

async function probePort(
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

function judgeOpen(
  { port, invert }: Rule,
  observed: Pick<Outcome, "address" | "timings">,
): Outcome {
  if (!invert) return passed("Connected", `Resolved: ${observed.address}`, observed);
  return {
    ...failed("mismatch", "Connected", `Port ${port} is open: ${observed.address}`),
    ...observed,
  };
}

/** A port counts as closed if connecting to its address fails. If the name has no address, nothing is known about the port. */
function judgeFailure({ port, invert }: Rule, error: unknown): Outcome {
  const failure = failureOf(error);
  // A closed port refuses. A reset means that the connection was accepted, and reset before we noticed.
  if (failure.address !== undefined && codeOf(error) === "ECONNRESET")
    return judgeOpen({ port, invert }, { address: failure.address });
  const isResolved =
    failure.reason !== "dns" &&
    failure.reason !== "blocked" &&
    !(error instanceof Interrupted && error.phase === "dns");
  if (!invert || !isResolved) return failure;
  return {
    ...failure,
    ...passed(failure.text, `Port ${port} is closed: ${failure.message}`),
    ...(isNetworkFailure(failure) && { unreached: true }),
  };
}
