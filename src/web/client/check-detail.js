import { ask } from "./ask.js";
import { made } from "./made.js";
import { readTold, toldParts } from "./told.js";

const phases = {
  dns: "name",
  connect: "connection",
  tls: "TLS",
  firstbyte: "first byte",
  total: "in all",
};

/** What is known of a check beyond its line: its last result with all that the target showed, what was found when it last went down, and who was told. */
export async function readDetail(token, id) {
  const [[result], [diagnosis], told] = await Promise.all([
    ask(token, `results/${id}?clean=true&limit=1&detail=true`),
    ask(token, `diagnostics/${id}?limit=1`),
    readTold(token, id),
  ]);
  return { result, diagnosis, told };
}

/** Everything is text: a target may answer what it likes. */
export function detailOf({ result, diagnosis, told }) {
  const parts = [];
  if (result === undefined) parts.push(made("p", "It has no result yet."));
  else parts.push(...resultParts(result));
  if (diagnosis !== undefined) parts.push(...diagnosisParts(diagnosis));
  return [...parts, ...toldParts(told)];
}

function resultParts({ s, sc, m, su, l, rhp, timings = {}, certificate, evidence }) {
  const seconds = new Date(s).toLocaleString();
  const runs = Object.keys(l).length;
  const head = `${su ? "Passed" : "Failed"} at ${seconds}, seen from ${rhp}${runs > 1 ? ` and ${runs - 1} more runs` : ""}: ${sc}, ${m}`;
  const times = Object.entries(phases)
    .filter(([phase]) => timings[phase] !== undefined)
    .map(([phase, name]) => `${name} ${timings[phase]} ms`);
  return [
    made("p", head),
    ...(times.length === 0 ? [] : [made("p", times.join(", "))]),
    ...(certificate === undefined
      ? []
      : [
          made(
            "p",
            `Certificate of ${certificate.subject} by ${certificate.issuer}: ${certificate.daysleft} days left`,
          ),
        ]),
    ...(evidence === undefined ? [] : [made("h2", "It answered"), made("pre", evidence)]),
  ];
}

function diagnosisParts({ location, end, findings }) {
  return [
    made("h2", `Looked into from ${location} at ${new Date(end).toLocaleString()}`),
    ...findings.flatMap(({ tool, about, text }) => [
      made("h3", `${tool} ${about}`),
      made("pre", text),
    ]),
  ];
}
