import { z } from "zod";

import { regionCodes, regions, type Location } from "../../../domain/location.ts";
import { NotFound } from "../../../kit/errors.ts";
import type { ResourceDeps } from "../../deps.ts";
import { id } from "../identifiers.ts";
import { oneOrById } from "../responses.ts";
import { removeLocation } from "./forget-location.ts";
import { locationStatusOf } from "./location-status.ts";
import { field } from "../../../schema/field.ts";
import { operation, type Resource } from "../../operation.ts";
import { forms } from "./forms.ts";

const regionNames: Readonly<Record<(typeof regionCodes)[number], string>> = {
  nam: "North America",
  lam: "Latin America",
  eur: "Europe",
  eao: "East Asia and Oceania",
  wlw: "Worldwide",
};

const probeAnswer = z
  .object({
    country: z.string(),
    ipv4: z.string(),
    ipv6: z.string(),
    location: z.string().describe("The code"),
    locationname: z.string(),
    region: z.string(),
    regionname: z.string(),
  })
  .meta({ id: "Location" });
const regionAnswer = z
  .object({ locations: z.array(z.string()), regionname: z.string() })
  .meta({ id: "Region" });

export function info(
  deps: Pick<
    ResourceDeps,
    "store" | "clock" | "locations" | "goneLocations" | "forgotLocation" | "channels"
  >,
): Resource {
  const { locations, channels } = deps;
  return {
    name: "info",
    ids: "name",
    summary: "The locations that checks run from, and what forms are drawn from",
    operations: {
      PROBE: operation({
        summary: "Returns one live location, or all by code",
        needs: "view",
        effect: "read",
        input: z.object({ id: id.describe("The code of a location") }),
        response: oneOrById(probeAnswer),
        async handle({ id }) {
          const live = locations();
          if (id === undefined)
            return Object.fromEntries(
              live.map((location) => [location.code, toResponse(location)]),
            );
          const found = live.find(({ code }) => code === id.toLowerCase());
          if (found === undefined) throw new NotFound(`no such location ${JSON.stringify(id)}`);
          return toResponse(found);
        },
      }),
      STATUS: locationStatusOf(deps),
      FORGET: removeLocation(deps),
      LOCATION: operation({
        summary: "Returns the locations of one region, or of all by code",
        needs: "view",
        effect: "read",
        input: z.object({
          id: field({
            expected: `must be one of ${regionCodes.join(", ")}`,
            jsonSchema: { type: "string", enum: [...regionCodes] },
            parse: (value) =>
              typeof value === "string"
                ? regionCodes.find((code) => code === value.toLowerCase())
                : undefined,
          }).describe("The code of a region"),
        }),
        response: oneOrById(regionAnswer),
        async handle({ id }) {
          const live = locations();
          const of = (region: (typeof regionCodes)[number]): z.infer<typeof regionAnswer> => ({
            locations: live.filter((location) => isIn(location, region)).map(({ code }) => code),
            regionname: regionNames[region],
          });
          if (id !== undefined) return of(id);
          return Object.fromEntries(regions.map((region) => [region, of(region)]));
        },
      }),
      FORMS: forms({ channels }),
    },
  };
}

function isIn({ region }: Location, wanted: (typeof regionCodes)[number]): boolean {
  return wanted === "wlw" || region === undefined || region === wanted;
}

/** Watchpost knows only the code and region of a location, not its country or addresses. */
function toResponse({ code, region }: Location): z.infer<typeof probeAnswer> {
  return {
    country: "",
    ipv4: "",
    ipv6: "",
    location: code,
    locationname: code,
    region: region ?? "wlw",
    regionname: regionNames[region ?? "wlw"],
  };
}
