import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

import { DAY_MS, dayState } from "../../src/domain/availability.ts";
import type { ChartPeriod } from "../../src/domain/status/status-page.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { scales, type ResponseTimes } from "../../src/status-pages/response-times.ts";
import { statusDocument } from "../../src/status-pages/status-content.ts";
import type { CheckView, StatusView } from "../../src/status-pages/status-view.ts";
import { alice, aStatusPage } from "../../test/record-builders.ts";
import { randomNumbers } from "../../test/fuzz/random-numbers.ts";
import { load, type Measured } from "../load.ts";
import { bodyOf } from "./status-page-rush.ts";
import { dataFolder, fill, median, openStore, rowOf, startServer } from "../fixture.ts";

const CHECKS = 50;
const DAYS = 90;
const REQUESTS = 20_000;
const CONNECTIONS = 32;
const RENDERS = 500;
const request = "GET /status/shop HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, br\r\n\r\n";

/** A page of fifty checks: requests a second against a bare server that sends the same bytes, and renderings against JSON.stringify of the same view. */
export async function benchStatusPage(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  const ids = await fill(folder, CHECKS, () => ({ type: "PUSH", parameters: {} }));
  const store = await openStore(folder);
  const checks = ids.map((id, index) => ({ id, name: `Service number ${index}` }));
  const page = aStatusPage("PAGEPAGE10", {
    accountId: alice.id,
    slug: "shop",
    sections: [{ name: "All", checks }],
  });
  await store.write((tx) => tx.statusPages.insert(page));
  await store.close();

  const ours: Measured[] = [];
  const bare: Measured[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using program = await startServer("watchpost", {
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
      // Counted all the same, for a limit costs what it costs.
      WATCHPOST_PUBLIC_RATE: "100000000",
    });
    const file = join(folder.path, "page.br");
    const body = await bodyOf(program.port);
    bytes = body.length;
    await writeFile(file, body);
    await using baseline = await startServer("bench/baselines/one-body.ts", {}, [file]);
    for (const [{ port }, kept] of [
      [baseline, bare],
      [program, ours],
    ] as const) {
      const requests = Array.from({ length: REQUESTS }, () => request);
      await load({ port, connections: CONNECTIONS, requests: requests.slice(0, REQUESTS / 10) });
      kept.push(await load({ port, connections: CONNECTIONS, requests }));
    }
  }
  const ratios = ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? 1));
  const rendered = renderings(rounds);
  const plain = bytesOf(viewOfThreeMonths());
  const charted = bytesOf(viewOfThreeMonths("90d"));
  return [
    `A status page of ${CHECKS} checks, ${bytes} bytes compressed, ${rounds} rounds, medians`,
    "",
    "| server | a second | p50 ms | p99 ms | statuses | ratio |",
    "|---|---|---|---|---|---|",
    rowOf("bare node:http", bare),
    `${rowOf("Watchpost", ours)} ${median(ratios).toFixed(2)} |`,
    "",
    `Rendered ${rendered.pages.toFixed(0)} times a second, ${(rendered.pages / rendered.texts).toFixed(2)} of JSON.stringify of the same view (${rendered.texts.toFixed(0)})`,
    "",
    `After 90 days of which one in 25 had an outage: ${plain} bytes compressed, and ${charted} with charts of 90 days`,
  ].join("\n");
}

function renderings(rounds: number): { readonly pages: number; readonly texts: number } {
  const view = viewOfThreeMonths();
  const perSecond = (work: () => unknown): number => {
    const began = systemClock.monotonic();
    for (let times = 0; times < RENDERS; times += 1) work();
    return (RENDERS * 1000) / (systemClock.monotonic() - began);
  };
  const both = Array.from({ length: rounds + 1 }, () => ({
    texts: perSecond(() => JSON.stringify(view)),
    pages: perSecond(() => statusDocument(view, "/status/shop")),
  })).slice(1);
  return {
    pages: median(both.map(({ pages }) => pages)),
    texts: median(both.map(({ texts }) => texts)),
  };
}

function bytesOf(view: StatusView): number {
  const { body } = statusDocument(view, "/status/shop");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  return brotliCompressSync(body, { params }).length;
}

/** One day in twenty-five has an outage. */
function viewOfThreeMonths(charts?: ChartPeriod): StatusView {
  const random = randomNumbers(7);
  const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;
  const checks = Array.from({ length: CHECKS }, (_, index): CheckView => {
    const days = Array.from({ length: DAYS }, (__, back) => {
      const downMs = random() < 0.04 ? Math.floor((random() * DAY_MS) / 10) : 0;
      const times = { enabledMs: DAY_MS, measuredMs: DAY_MS, downMs, maintenanceMs: 0 };
      return { day: today - (DAYS - 1 - back) * DAY_MS, state: dayState(times), ...times };
    });
    const name = `Service number ${index}`;
    const shown = { name, uuid: name, days, percent: 99.9 };
    const times = charts && timesOf(charts, today, random);
    return { ...shown, state: "operational", times };
  });
  return {
    page: aStatusPage("page", { charts }),
    timeZone: "Europe/Berlin",
    state: "operational",
    sections: [{ name: "All", state: "operational", checks }],
    incidents: [],
    takesSubscribers: true,
  };
}

/** Times of a check that vary by a third, and slow ones by more. */
function timesOf(period: ChartPeriod, to: number, random: () => number): ResponseTimes {
  const { stepMs, steps, rowMs } = scales[period];
  const from = to - steps * stepMs;
  const usualMs = 50 + random() * 400;
  const pointAt = (at: number) => {
    const medianMs = usualMs * (1 + random() / 3);
    return { at, medianMs, p95Ms: medianMs * (1.2 + random()) };
  };
  const pointsOf = (ms: number) =>
    Array.from({ length: Math.ceil((steps * stepMs) / ms) }, (_, index) =>
      pointAt(from + index * ms),
    );
  return { period, from, total: pointAt(from), points: pointsOf(stepMs), rows: pointsOf(rowMs) };
}
