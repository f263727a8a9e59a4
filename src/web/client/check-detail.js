import { alertParts, loadAlerts } from "./alerts.js";
import { getJson } from "./get-json.js";
import { textElement } from "./text-element.js";

const phases = {
  dns: "name",
  connect: "connection",
  tls: "TLS",
  firstbyte: "first byte",
  total: "in all",
};

/** Loads the details of a check: its last result with evidence, the diagnostics of when it last went down, and its latest alerts. */
export async function loadDetail(token, id) {
  const [[result], [diagnostics], alerts] = await Promise.all([
    getJson(token, `results/${id}?clean=true&limit=1&detail=true`),
    getJson(token, `diagnostics/${id}?limit=1`),
    loadAlerts(token, id),
  ]);
  return { result, diagnostics, alerts };
}

/** Elements with text only: the response of a target is not trusted. */
export function detailParts({ result, diagnostics, alerts }) {
  const parts = [];
  if (result === undefined) parts.push(textElement("p", "No results yet."));
  else parts.push(...resultParts(result));
  if (diagnostics !== undefined) parts.push(...diagnosticsParts(diagnostics));
  return [...parts, ...alertParts(alerts)];
}

function resultParts({ s, sc, m, su, l, rhp, timings = {}, certificate, evidence }) {
  const time = new Date(s).toLocaleString();
  const runs = Object.keys(l).length;
  const head = `${su ? "Passed" : "Failed"} at ${time}, from ${rhp}${runs > 1 ? ` and ${runs - 1} more runs` : ""}: ${sc}, ${m}`;
  const times = Object.entries(phases)
    .filter(([phase]) => timings[phase] !== undefined)
    .map(([phase, name]) => `${name} ${timings[phase]} ms`);
  return [
    textElement("p", head),
    ...(times.length === 0 ? [] : [textElement("p", times.join(", "))]),
    ...(certificate === undefined
      ? []
      : [
          textElement(
            "p",
            `Certificate of ${certificate.subject} by ${certificate.issuer}: ${certificate.daysleft} days left`,
          ),
        ]),
    ...(evidence === undefined
      ? []
      : [textElement("h2", "Response of the target"), textElement("pre", evidence)]),
  ];
}

function diagnosticsParts({ location, end, findings }) {
  return [
    textElement("h2", `Diagnostics from ${location} at ${new Date(end).toLocaleString()}`),
    ...findings.flatMap(({ tool, about, text }) => [
      textElement("h3", `${tool} ${about}`),
      textElement("pre", text),
    ]),
  ];
}
