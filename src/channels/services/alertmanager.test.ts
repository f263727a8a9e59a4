import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleNotice, sampleAlertContext } from "../../../test/sample-alert.ts";
import { alertmanager } from "./alertmanager.ts";

const labels = z.record(z.string().regex(/^[a-zA-Z_]\w*$/), z.string());
/** As the document of its API and the check of what is posted have it. */
const alerts = z.tuple([
  z
    .strictObject({
      labels: labels.refine((all) => Object.keys(all).length > 0),
      annotations: labels,
      startsAt: z.iso.datetime(),
      endsAt: z.iso.datetime(),
      generatorURL: z.url(),
    })
    .refine(({ startsAt, endsAt }) => startsAt <= endsAt),
]);

serviceContract(alertmanager, {
  address: "http://alertmanager.example.com:9093/api/v2/alerts",
  others: ["https://user:s3cret@example.com/alertmanager/api/v2/alerts"],
  foreign: ["http://alertmanager.example.com:9093/api/v1/alerts", "https://example.com/alerts"],
  secrets: [],
  answer: ({ body }) =>
    alerts.safeParse(JSON.parse(body)).success
      ? { status: 200 }
      : { status: 400, body: '"start time must be before end time"' },
  shown: ({ body }) => [
    {
      text: alerts.parse(JSON.parse(body))[0].annotations.summary ?? "",
      alive: /[\n\p{Cf}\p{Cs}]/u,
    },
  ],
  incident({ body }) {
    const [{ labels, startsAt, endsAt }] = alerts.parse(JSON.parse(body));
    return {
      key: JSON.stringify([labels, startsAt]),
      isOver: Date.parse(endsAt) < Date.UTC(2026, 0, 6),
    };
  },
  refusals: [
    { answer: { status: 400, body: '"bad label set"' }, retryable: false },
    { answer: { status: 500, body: '"no"' }, retryable: true },
  ],
});

test("Alertmanager: an alert is known again although the check was renamed meanwhile", () => {
  const url = new URL("http://alertmanager.example.com:9093/api/v2/alerts");
  const { check } = sampleNotice("up");
  const renamed = { ...check, label: "Store", target: "https://store.example.com/" };
  const [down, up] = [sampleAlertContext("down"), sampleAlertContext("up", { check: renamed })].map(
    (context) => alerts.parse(alertmanager.requestOf(context, url).body)[0].labels,
  );
  assert.deepEqual(down, up);
});
