const foundation = ["kit", "domain", "schema"];
const ports = [...foundation, "checks", "channels", "store", "bus"];
const parts = [...ports, "tracking", "redaction", "settings"];
const shared = [...parts, "heartbeats"];
const all = [...shared, "controller", "probe", "notifier", "api", "web", "status-pages"];

/** Modules, which are the folders of `src`, with the modules that each may import. Unlisted modules do not exist. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ["kit"],
  schema: ["kit", "domain"],
  checks: foundation,
  channels: foundation,
  store: foundation,
  bus: foundation,
  tracking: ports,
  redaction: ports,
  settings: ports,
  heartbeats: parts,
  controller: shared,
  probe: shared,
  notifier: shared,
  api: shared,
  web: shared,
  "status-pages": shared,
  server: all,
  cli: all,
  main: ["server", "settings", "cli", "kit"],
};

/** Subfolders that other modules may import from; all others are private to their module. */
export const openSubfolders: Readonly<Record<string, readonly string[]>> = {
  "domain/account": Object.keys(modules),
  "domain/alert": Object.keys(modules),
  "domain/contact": Object.keys(modules),
  "domain/heartbeat": Object.keys(modules),
  "domain/run": Object.keys(modules),
  "domain/status": Object.keys(modules),
  "kit/http": Object.keys(modules),
  "kit/crypto": Object.keys(modules),
  "kit/concurrency": Object.keys(modules),
  "kit/net": Object.keys(modules),
  "kit/patterns": ["checks", "api"],
  "kit/time": Object.keys(modules),
  "kit/tracing": Object.keys(modules),
  "store/tables": Object.keys(modules),
  "store/transactions": Object.keys(modules),
  "store/postgres": ["server"],
  "server/doctor": ["main"],
  "server/backup": ["main"],
  "store/backup": ["server"],
  "store/copy": ["server"],
  "store/sqlite": ["server"],
  "cli/output": ["main"],
  "bus/nats": ["server"],
  "checks/icmp": ["server"],
  "channels/mail": ["server", "api", "notifier", "web", "settings", "status-pages"],
  "channels/format": ["server", "web", "status-pages"],
  "api/http": ["server", "cli"],
  "web/oidc": ["server"],
  "api/resources/checks": ["cli"],
  "api/resources/accounts": ["cli"],
  "api/resources/contacts": ["cli"],
  "api/resources/maintenance": ["cli"],
  "api/resources": ["cli"],
  "api/resources/status-pages": ["cli"],
  "api/resources/notifications": ["cli"],
  "controller/confirm": ["server"],
  "controller/scheduler": ["server"],
};

export interface Import {
  /** Both are paths below `src`. */
  readonly from: string;
  readonly to: string;
}

/** Why an import is not allowed; undefined where it is. */
export function boundaryViolation({ from, to }: Import): string | undefined {
  const [importer, imported] = [moduleOf(from), moduleOf(to)];
  if (importer === imported) return undefined;
  const allowed = modules[importer];
  if (allowed === undefined)
    return `${from}: the module ${importer} is not in the table of test/module-boundaries.ts`;
  if (!allowed.includes(imported))
    return `${from} imports ${to}: ${importer} may not import from ${imported}; move what both need to a module below them`;
  const folder = to.split("/").slice(0, -1).join("/");
  if (folder !== imported && !openSubfolders[folder]?.includes(importer)) {
    return `${from} imports ${to}: the subfolders of a module are private; import from a file at its root`;
  }
  return undefined;
}

export function moduleOf(path: string): string {
  const [first = "", ...rest] = path.split("/");
  return rest.length === 0 ? first.replace(/\.ts$/, "") : first;
}
