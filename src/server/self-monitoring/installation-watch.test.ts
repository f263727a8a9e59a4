import assert from "node:assert/strict";
import { test } from "node:test";

import type { OpenServiceProblem } from "../../domain/service-problem.ts";
import { Unavailable } from "../../kit/errors.ts";
import { silentLog } from "../../kit/log.ts";
import type { InstallationState, ProcessReport } from "../../store/process-reports.ts";
import { createInstallationWatch } from "./installation-watch.ts";

const problemOf = (
  name: OpenServiceProblem["name"],
  since: number,
  subject = "",
): OpenServiceProblem => ({ name, subject, found: `${name} found`, since });

function watchOf(others: readonly ProcessReport[], own: readonly OpenServiceProblem[] = []) {
  let state: InstallationState | undefined = { others, uncontrolledShards: [0, 7] };
  const sent: ProcessReport[] = [];
  const watch = createInstallationWatch({
    reports: {
      async exchange(report) {
        sent.push(report);
        if (state === undefined) throw new Unavailable("the database is away");
        return state;
      },
    },
    id: "m",
    host: "own.example",
    ownProblems: () => own,
    log: silentLog,
  });
  return { watch, sent, cut: () => void (state = undefined) };
}

test("problems of all processes are read together, those that all share once", async () => {
  const own = [problemOf("location", 20, "ny"), problemOf("stalled", 30)];
  const other = {
    id: "b",
    host: "two.example",
    problems: [
      problemOf("location", 21, "ny"),
      problemOf("location", 10, "ld"),
      problemOf("stalled", 40),
    ],
  };
  const { watch, sent } = watchOf([other], own);
  await watch.look();
  assert.deepEqual(sent, [{ id: "m", host: "own.example", problems: own }]);
  assert.deepEqual(
    watch.problems().map(({ name, subject, found }) => `${name} ${subject}: ${found}`),
    [
      "location ld: location found",
      "location ny: location found",
      "stalled : stalled found; stalled found (on two.example)",
    ],
  );
});

test("a problem that only a newer version knows is left out", async () => {
  const unknown = JSON.parse('{"name":"toString","subject":"","found":"","since":1}');
  const { watch } = watchOf([{ id: "b", host: "two.example", problems: [unknown] }]);
  await watch.look();
  assert.deepEqual(watch.problems(), []);
});

test("the process with the smallest id stands in, and nothing is known while the database is away", async () => {
  const { watch, cut } = watchOf([
    { id: "n", host: "two.example", problems: [problemOf("stalled", 1)] },
  ]);
  await watch.look();
  assert.deepEqual([watch.isFirst(), watch.uncontrolledShards()], [true, [0, 7]]);
  cut();
  await watch.look();
  assert.deepEqual([watch.problems(), watch.uncontrolledShards()], [[], []]);
  const { watch: later } = watchOf([{ id: "a", host: "two.example", problems: [] }]);
  await later.look();
  assert.equal(later.isFirst(), false);
});
