import { globSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Every test file belongs to one of them. */
export const suites = ["quick", "long"] as const;
export type Suite = (typeof suites)[number];

/** Files of the long suite are named `<subject>.long.test.ts`; CONTRIBUTING.md says which are. */
export function suiteOf(file: string): Suite {
  return file.endsWith(".long.test.ts") ? "long" : "quick";
}

/** All test files, or those of a suite. */
export function allTestFiles(suite?: Suite): readonly string[] {
  const files = testFiles([
    "{src,dashboard}/**/*.test.ts",
    "test/**/*.test.ts",
    "scoreboard/**/*.test.ts",
  ]);
  return suite === undefined ? files : files.filter((file) => suiteOf(file) === suite);
}

/**
 * Folders and files whose tests share a process, by the name of the file here that runs them: to load what they import took longer than most
 * of them. The tests of a batch run one after the other.
 */
export const batches: Readonly<Record<string, readonly string[]>> = {
  access: [
    "test/access",
    "test/account-status.test.ts",
    "test/bounded-parameters.test.ts",
    "test/documents.test.ts",
    "test/outside-reads",
  ],
  api: ["src/api"],
  channels: ["src/channels", "src/kit", "src/domain", "src/schema"],
  checks: ["src/checks", "src/bus"],
  dashboard: ["test/e2e/dashboard"],
  pages: ["test/e2e/signing-in", "test/e2e/status-pages"],
  clients: [
    "src/server",
    "src/settings",
    "src/cli",
    "src/status-pages",
    "src/web",
    "dashboard",
    "test/clients",
  ],
  alerts: ["src/notifier", "src/heartbeats"],
  runs: ["src/tracking", "src/controller"],
  store: ["src/store", "test/openapi", "test/stores"],
  others: [
    "scoreboard",
    "src/probe",
    "test/blips",
    "test/chaos",
    "test/deployment",
    "test/fuzz",
    "test/guards",
    "test/self-monitoring",
    "test/soak",
  ],
};

/** Files of these folders that have a process of their own: for they change it (`changesProcess`), or are long. */
export const alone: ReadonlySet<string> = new Set([
  "scoreboard/short-run.long.test.ts",
  "src/server/backup/schedule/backup-process.test.ts",
  "src/checks/audio/volume.long.test.ts",
  "src/kit/patterns/pattern-search.test.ts",
  "src/checks/tls/handshake.test.ts",
  "src/kit/text-search.test.ts",
  "src/store/postgres/postgres-store.contract.long.test.ts",
  "src/store/postgres/postgres-store.contract.test.ts",
  "src/store/sqlite/sqlite-store.contract.test.ts",
  "test/chaos/chaos.long.test.ts",
  // It waits for as long as its troubles last.
  "test/e2e/locations/blind-location.long.test.ts",
  "test/chaos/cluster/cluster.long.test.ts",
  "test/distance/distance.long.test.ts",
  "test/e2e/dashboard/account.long.test.ts",
  "test/e2e/dashboard/check-edit.long.test.ts",
  "test/e2e/dashboard/check-forms.long.test.ts",
  "test/e2e/dashboard/check-history.long.test.ts",
  "test/e2e/dashboard/check.test.ts",
  "test/e2e/dashboard/contacts.long.test.ts",
  "test/e2e/dashboard/page-states.long.test.ts",
  "test/e2e/dashboard/walk.long.test.ts",
  "test/fuzz/fuzz-legacy.long.test.ts",
  "test/fuzz/fuzz-standard.long.test.ts",
  "test/soak/attacking/low-priority.test.ts",
  "test/soak/soak.long.test.ts",
]);

/** Matches code that changes or observes the state of its process, which other tests share. */
export const changesProcess =
  /\bsetDefaultCACertificates\(|\bprocess\.on\(|"\/proc\/self|`\/proc\/self\/task/;

/** The files that took longest run first, so that none of them runs by itself at the end: those that wait in turn with those that compute. */
export const first: ReadonlySet<string> = new Set([
  "test/batches/dashboard.ts",
  "test/batches/api.ts",
  "test/chaos/cluster/cluster.long.test.ts",
  "test/batches/checks.ts",
  "src/store/postgres/postgres-store.contract.test.ts",
  "test/batches/access.ts",
  "test/batches/pages.ts",
  "test/e2e/dashboard/walk.long.test.ts",
  "src/store/postgres/postgres-store.contract.long.test.ts",
  // It waits for half a minute of real time, several times.
  "test/e2e/time.long.test.ts",
  // It waits for several intervals of checks.
  "test/distance/distance.long.test.ts",
  "test/e2e/disk.long.test.ts",
  "test/e2e/dashboard/page-states.long.test.ts",
  "test/e2e/dashboard/check-forms.long.test.ts",
  "test/e2e/dashboard/contacts.long.test.ts",
  "test/conformance/conformance.test.ts",
  "test/conformance/legacy.long.test.ts",
  "test/chaos/chaos.long.test.ts",
  "test/e2e/push.long.test.ts",
  "test/e2e/backup.long.test.ts",
  "test/isolation.long.test.ts",
  "test/batches/others.ts",
  "test/batches/alerts.ts",
  "test/e2e/dashboard/account.long.test.ts",
  "test/e2e/dashboard/check.test.ts",
  "test/e2e/dashboard/check-edit.long.test.ts",
  "test/e2e/dashboard/check-history.long.test.ts",
  "test/e2e/locations/locations.test.ts",
  "test/e2e/locations/cut-links.long.test.ts",
  "test/e2e/full-disk.long.test.ts",
  "test/batches/runs.ts",
  "test/e2e/command-line/cli.long.test.ts",
  "test/batches/clients.ts",
  "test/batches/channels.ts",
  "src/store/sqlite/sqlite-store.contract.test.ts",
  "test/batches/store.ts",
  "test/soak/soak.long.test.ts",
  "test/e2e/start.test.ts",
  "test/e2e/alerting.test.ts",
  "test/e2e/every-type.long.test.ts",
  "test/e2e/retention.long.test.ts",
]);

/** Files that run alone after all others, because they measure seconds. */
export const undisturbed: ReadonlySet<string> = new Set(["scoreboard/short-run.long.test.ts"]);

export function testFiles(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted();
}

export function isIn(file: string, folders: readonly string[]): boolean {
  const isOf = (folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
  return folders.some(isOf) && !alone.has(file);
}

/** Returns the processes that run each of the files: batches, and single files. */
export function processesFor(files: readonly string[]): readonly string[] {
  const used = Object.entries(batches).filter(([, folders]) =>
    files.some((file) => isIn(file, folders)),
  );
  const others = files.filter((file) => !used.some(([, folders]) => isIn(file, folders)));
  const all = [...used.map(([name]) => `test/batches/${name}.ts`), ...others];
  const early = [...first].filter((file) => all.includes(file));
  return [...early, ...all.filter((file) => !first.has(file))];
}
