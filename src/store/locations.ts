import type { RememberedLocation } from "../domain/location.ts";

export interface LocationReads {
  /** By code. */
  readonly list: () => Promise<readonly RememberedLocation[]>;
}

export interface LocationWrites {
  /** Remembers that it was live at this time; when one that is known was seen first stays. */
  readonly saw: (
    location: Omit<RememberedLocation, "firstSeenAt" | "lastSeenAt">,
    at: number,
  ) => Promise<void>;
  /** False where it is not known. */
  readonly forget: (code: string) => Promise<boolean>;
}
