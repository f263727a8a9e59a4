/** Which rooms a room may import from. What is not here does not exist; `kit`, `domain` and so on are the folders of `src`. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ["kit"],
  checks: ["kit", "domain"],
  channels: ["kit", "domain"],
  store: ["kit", "domain"],
  bus: ["kit", "domain"],
  scheduler: ["kit", "domain", "checks", "channels", "store", "bus"],
  probe: ["kit", "domain", "checks", "channels", "store", "bus"],
  confirm: ["kit", "domain", "checks", "channels", "store", "bus"],
  diagnosis: ["kit", "domain", "checks", "channels", "store", "bus"],
  maintenance: ["kit", "domain", "checks", "channels", "store", "bus"],
  notifier: ["kit", "domain", "checks", "channels", "store", "bus"],
  api: ["kit", "domain", "checks", "channels", "store", "bus"],
  push: ["kit", "domain", "checks", "channels", "store", "bus"],
  web: ["kit", "domain", "checks", "channels", "store", "bus"],
  app: [
    "kit",
    "domain",
    "checks",
    "channels",
    "store",
    "bus",
    "scheduler",
    "probe",
    "confirm",
    "diagnosis",
    "maintenance",
    "notifier",
    "api",
    "push",
    "web",
  ],
  cli: [
    "kit",
    "domain",
    "checks",
    "channels",
    "store",
    "bus",
    "scheduler",
    "probe",
    "confirm",
    "diagnosis",
    "maintenance",
    "notifier",
    "api",
    "push",
    "web",
  ],
  main: ["app", "cli", "kit"],
};

/** Folders inside a room that another may open all the same: to construct what is behind the door. */
export const openSubfolders: Readonly<Record<string, readonly string[]>> = {
  app: ["store/sql", "bus/memory"],
};

export interface Import {
  /** Both are paths below `src`. */
  readonly from: string;
  readonly to: string;
}

/** Why an import is not allowed; undefined where it is. */
export function boundaryViolation({ from, to }: Import): string | undefined {
  const [room, target] = [moduleOf(from), moduleOf(to)];
  if (room === target) return undefined;
  const allowed = modules[room];
  if (allowed === undefined)
    return `${from}: the room ${room} is not in the table of test/rooms.ts`;
  if (!allowed.includes(target))
    return `${from} imports ${to}: ${room} may not know ${target}; what both need belongs on a lower floor`;
  const folder = to.split("/").slice(0, -1).join("/");
  if (folder !== target && !openSubfolders[room]?.includes(folder)) {
    return `${from} imports ${to}: the folders of a room are private, its doors are the files at its root`;
  }
  return undefined;
}

export function moduleOf(path: string): string {
  const [first = "", ...rest] = path.split("/");
  return rest.length === 0 ? first.replace(/\.ts$/, "") : first;
}
