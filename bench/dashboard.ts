import { request } from "node:http";

import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";

import { createSessionCookie } from "../src/kit/http/session-cookie.ts";
import { sleep, systemClock } from "../src/kit/clock.ts";
import { hashToken } from "../src/kit/crypto/seal.ts";
import { createSessionAdmin } from "../src/store/transactions/session-admin.ts";
import { aContact, aResult, alice, minute } from "../test/record-builders.ts";
import { launchChromium } from "../test/servers/chromium.ts";
import { dataFolder, fill, median, openStore, startServer } from "./fixture.ts";

const CHECKS = 10_000;
/** Checks with a month of results every minute: those visible on the first screen. */
const WITH_HISTORY = 20;
const MONTH_RESULTS = 43_200;
const BATCH = 2000;
const IDLE_MS = 65_000;
const HOUR_MS = 3_600_000;
const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";

/** The list of 10,000 checks as the API sends it, and as the dashboard shows it. */
export async function benchDashboard(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  const ids = await fill(folder, CHECKS, (index) => ({
    type: "PUSH",
    label: `${["Shop", "Blog", "API", "Mail"][index % 4]} of customer ${index}`,
    tags: [`team ${index % 12}`, ["web", "db"][index % 2] ?? ""],
    parameters: { checktoken: token, target: `host-${index}.example.net` },
  }));
  const cookie = await prepare(folder, ids);
  await using program = await startServer("watchpost", {
    WATCHPOST_LISTEN: "127.0.0.1:0",
    WATCHPOST_DATA: folder.path,
    WATCHPOST_TOKEN_RATE: "0",
    WATCHPOST_ADDRESS_RATE: "0",
  });
  const base = `http://127.0.0.1:${program.port}`;
  const sent = await measureList(base, rounds);
  const idleBytes = await idleBytesAnHour(base);
  const page = await measurePage({ base, cookie, id: ids[0] ?? "", rounds });
  return [
    `${CHECKS} checks: the list, and the page`,
    "",
    "| | ms | bytes |",
    "|---|---|---|",
    ...sent,
    "",
    "| | |",
    "|---|---|",
    `| updates in an hour in which nothing happens, bytes | ${idleBytes} |`,
    ...page,
  ].join("\n");
}

/** Results of the last minute of all, a month of some, and somebody who is signed in. */
async function prepare(
  folder: Parameters<typeof openStore>[0],
  ids: readonly string[],
): Promise<{ readonly name: string; readonly value: string }> {
  const store = await openStore(folder);
  const now = systemClock.now();
  const lifetimes = { maxMs: 10 * HOUR_MS, idleMs: HOUR_MS };
  const admin = createSessionAdmin({ store, clock: systemClock, lifetimes });
  const contact = aContact("owner", { role: "owner", addresses: [] });
  const session = admin.prepare(
    { accountId: alice.id, contactId: contact.id },
    { client: "127.0.0.1", agent: "" },
  );
  await store.write(async (tx) => {
    await tx.contacts.insert(contact);
    await session.insert(tx);
    await tx.tokens.insert({
      digest: hashToken(token),
      accountId: alice.id,
      label: "bench",
      createdAt: now,
      compatibility: "standard",
    });
  });
  const numbers = [...(await store.checks.findNumbers(alice.id, ids)).values()];
  for (const [index, no] of numbers.entries()) {
    const count = index < WITH_HISTORY ? MONTH_RESULTS : 1;
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, each) =>
        aResult(no, now - (count - from - each) * minute, { runtimeMs: 20 + ((each * 7) % 50) }),
      );
      await Promise.all(batch.map((result) => store.append(result)));
    }
  }
  await store.close();
  const written = createSessionCookie({ isSecure: false }).write(session.secret, HOUR_MS);
  const [name = "", value = ""] = (written.split(";")[0] ?? "").split("=");
  return { name, value };
}

async function measureList(base: string, rounds: number): Promise<readonly string[]> {
  const rows: string[] = [];
  let etag = "";
  const ask = async (
    name: string,
    headers: Readonly<Record<string, string>>,
    path = "/api/1/statuses",
  ): Promise<void> => {
    const taken: number[] = [];
    let bytes = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const began = systemClock.monotonic();
      // The body is what came, for fetch would give it decompressed.
      bytes = await bytesOf(base + path, headers, (found) => (etag = found));
      if (round > 0) taken.push(systemClock.monotonic() - began);
    }
    rows.push(`| ${name} | ${median(taken).toFixed(0)} | ${bytes} |`);
  };
  const own = { authorization: `Bearer ${token}` };
  await ask("as it is", own);
  for (const encoding of ["gzip", "br", "zstd"])
    await ask(encoding, { ...own, "accept-encoding": encoding });
  await ask("not changed", { ...own, "if-none-match": etag });
  await ask("metrics for Prometheus", own, "/metrics/checks");
  await ask("metrics, gzip", { ...own, "accept-encoding": "gzip" }, "/metrics/checks");
  rows.push(`| event loop held by the metrics at most | ${await lagOf(base, own)} | |`);
  return rows;
}

/** Returns the maximum event loop lag in ms while the metrics of all checks are read once; each reading resets it. */
async function lagOf(base: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const look = async (): Promise<string> => (await fetch(`${base}/metrics`)).text();
  await look();
  await bytesOf(`${base}/metrics/checks`, { ...headers, "accept-encoding": "gzip" }, () => {});
  const [, seconds] =
    /^watchpost_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await look()) ?? [];
  return (Number(seconds) * 1000).toFixed(0);
}

function bytesOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  tagged: (etag: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      tagged(response.headers.etag ?? "");
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.once("end", () => resolve(bytes));
      response.once("error", reject);
    })
      .once("error", reject)
      .end();
  });
}

async function idleBytesAnHour(base: string): Promise<number> {
  const stop = new AbortController();
  const response = await fetch(`${base}/api/1/updates`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: stop.signal,
  });
  let bytes = 0;
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  };
  // It ends when it is stopped.
  const reading = read().catch(() => {});
  await sleep(systemClock, IDLE_MS);
  stop.abort();
  await reading;
  return Math.round((bytes * HOUR_MS) / IDLE_MS);
}

interface PageBench {
  readonly base: string;
  readonly cookie: { readonly name: string; readonly value: string };
  readonly id: string;
  readonly rounds: number;
}

const KEYS = ["customer 12", "shop 99", "team 3 blog", "api of"].join("").split("");

async function measurePage({ base, cookie, id, rounds }: PageBench): Promise<readonly string[]> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ ...cookie, url: base }]);
    const page = await context.newPage();
    await page.addInitScript(probe);
    const visits: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto(`${base}/checks`);
      await page.getByRole("gridcell").first().waitFor();
      // The first visit fills the browser's cache.
      if (round > 0) visits.push(await numberOf(page, "firstRowMs"));
    }
    const keys = await keyTimes(page);
    const updates = await updateTimes(page, base, id);
    const heap = await heapBytes(await context.newCDPSession(page));
    return [
      `| first rows on a later visit, ms | ${median(visits).toFixed(0)} |`,
      `| from a key to the filtered list, ms: p50, p95 | ${keys} |`,
      `| from an update to its row, ms: p50, most | ${updates} |`,
      `| heap of the tab, MB | ${(heap / 1_000_000).toFixed(1)} |`,
    ];
  } finally {
    await browser.close();
  }
}

/** Notes in the page when rows are first there, and from each key or update to the next frame after the page has drawn it. */
const probe = `
  window.measured = { firstRowMs: 0, keys: [], updates: [] };
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[role="gridcell"]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (measured.firstRowMs = performance.now())));
  }).observe(document, { childList: true, subtree: true });
  const untilDrawn = (list, began) => {
    const grid = document.querySelector("main");
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => list.push(performance.now() - began)));
    });
    observer.observe(grid, { childList: true, subtree: true, characterData: true, attributes: true });
  };
  addEventListener("input", () => untilDrawn(measured.keys, performance.now()), true);
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, receive, options) {
    const own = name !== "statuses" ? receive : (event) => {
      untilDrawn(measured.updates, performance.now());
      receive(event);
    };
    return listen.call(this, name, own, options);
  };
`;

async function numberOf(page: Page, name: string): Promise<number> {
  await page.waitForFunction(`measured.${name} > 0`);
  return z.number().parse(await page.evaluate(`measured.${name}`));
}

async function listOf(page: Page, name: string): Promise<readonly number[]> {
  const taken = z.array(z.number()).parse(await page.evaluate(`measured.${name}`));
  return taken.toSorted((one, other) => one - other);
}

async function keyTimes(page: Page): Promise<string> {
  const search = page.getByRole("searchbox");
  await search.focus();
  for (const key of KEYS) {
    await page.keyboard.type(key);
    await page.waitForTimeout(150);
  }
  const taken = await listOf(page, "keys");
  await search.fill("");
  return `${median(taken).toFixed(0)}, ${(taken[Math.floor(taken.length * 0.95)] ?? 0).toFixed(0)}`;
}

/** A check goes down and up; all of its row changes with it. */
async function updateTimes(page: Page, base: string, id: string): Promise<string> {
  for (let round = 0; round < 6; round += 1) {
    await fetch(`${base}/v1/${id}/${token}/${round % 2 === 0 ? "fail" : "0"}`);
    await page.waitForFunction(`measured.updates.length > ${round}`);
    await page.waitForTimeout(500);
  }
  const taken = await listOf(page, "updates");
  return `${median(taken).toFixed(0)}, ${(taken.at(-1) ?? 0).toFixed(0)}`;
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize;
}
