/** Which rooms a room may import from. What is not here does not exist; `kit`, `domain` and so on are the folders of `src`. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
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
export const openFolders: Readonly<Record<string, readonly string[]>> = {
  app: ["store/sql", "bus/memory"],
};

export interface Import {
  /** Both are paths below `src`. */
  readonly from: string;
  readonly to: string;
}

/** Why an import is not allowed; undefined where it is. */
export function objection({ from, to }: Import): string | undefined {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === target) return undefined;
  const allowed = rooms[room];
  if (allowed === undefined)
    return `${from}: the room ${room} is not in the table of test/rooms.ts`;
  if (!allowed.includes(target))
    return `${from} imports ${to}: ${room} may not know ${target}; what both need belongs on a lower floor`;
  const folder = to.split("/").slice(0, -1).join("/");
  if (folder !== target && !openFolders[room]?.includes(folder)) {
    return `${from} imports ${to}: the folders of a room are private, its doors are the files at its root`;
  }
  return undefined;
}

export function roomOf(path: string): string {
  const [first = "", ...rest] = path.split("/");
  return rest.length === 0 ? first.replace(/\.ts$/, "") : first;
}
