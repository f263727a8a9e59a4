import type { Location } from "../../domain/location.ts";
import type { Log } from "../../kit/log.ts";
import type { GoneLocation } from "../bus.ts";
import type { LocationLink } from "./location-link.ts";

interface Deps {
  readonly create: (location: Location) => LocationLink;
  readonly log: Log;
}

/** The links of this process to locations, one to each. */
export interface LocationLinks {
  readonly get: (code: string) => LocationLink | undefined;
  readonly entries: () => readonly (readonly [code: string, link: LocationLink])[];
  /** Returns the link, created if needed. Undefined if there are too many, and after the close. */
  readonly linkTo: (location: Location) => LocationLink | undefined;
  /** Creates links to these locations and closes those to others that were never seen. */
  readonly expect: (locations: readonly Location[]) => void;
  /** Locations received within the last days that are not live. */
  readonly gone: () => readonly GoneLocation[];
  readonly close: () => Promise<void>;
}

/** Each location has a connection. Above any installation's number; anyone with the instance key can create unlimited location keys. */
export const MAX_LOCATIONS = 1000;
/** Time after which the resources for an absent location are released. */
const AWAITED_FOR_MS = 7 * 86_400_000;

export function createLocationLinks({ create, log }: Deps): LocationLinks {
  const links = new Map<string, LocationLink>();
  let isClosed = false;
  const linkTo = (location: Location): LocationLink | undefined => {
    const { code } = location;
    const known = links.get(code);
    if (known !== undefined || isClosed) return known;
    if (links.size >= MAX_LOCATIONS) {
      log.error("bus.too_many_locations", { location: code, most: MAX_LOCATIONS });
      return undefined;
    }
    const link = create(location);
    links.set(code, link);
    return link;
  };
  const end = (code: string, link: LocationLink): void => {
    links.delete(code);
    void link.close();
  };
  return {
    get: (code) => links.get(code),
    entries: () => [...links],
    linkTo,
    expect(locations) {
      const expected = new Set(locations.map(({ code }) => code));
      for (const [code, link] of links)
        if (!expected.has(code) && !link.wasHeard()) end(code, link);
      for (const location of locations) linkTo(location);
    },
    gone: () =>
      [...links].flatMap(([code, link]) => {
        const found = link.gone();
        if (found === undefined || found.seenMsAgo <= AWAITED_FOR_MS) return found ?? [];
        end(code, link);
        return [];
      }),
    async close() {
      isClosed = true;
      const closing = [...links.values()].map((link) => link.close());
      links.clear();
      await Promise.all(closing);
    },
  };
}
