/** The files that each file imports from, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function cyclesIn(graph: ImportGraph): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];

  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    lowest.set(file, at);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? order.get(next) : at) : visit(next);
      lowest.set(file, Math.min(lowest.get(file) ?? at, reached ?? at));
    }
    if (lowest.get(file) === at) {
      const members = open.splice(open.indexOf(file));
      if (members.length > 1 || graph.get(file)?.includes(file)) cycles.push(members.toSorted());
    }
    return lowest.get(file) ?? at;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
