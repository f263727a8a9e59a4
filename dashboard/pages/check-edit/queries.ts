import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { api, dataOf } from "../../api/api.ts";
import { recordOf, recordsOf } from "../../api/records.ts";
import type { components } from "../../api/schema.ts";
import { listOf } from "../../live/status-list.ts";
import { useSession } from "../../shell/session.ts";
import { useLanguage } from "../../text.ts";
import { addressWords } from "../contacts/contact.ts";
import type { Check } from "./check-settings.ts";

export type Forms = components["schemas"]["Forms"];
export type CheckForm = Forms["checks"][number];

const FORMS_STALE_MS = 3_600_000;

/** Form definitions in the language of the page; they stay the same while the service runs. */
export function useForms(): UseQueryResult<Forms> {
  const language = useLanguage();
  return useQuery({
    queryKey: ["forms", language],
    queryFn: async () => {
      const forms = await dataOf(api.GET("/info/forms"));
      if (language !== "de") return forms;
      const { default: texts } = await import("../../locales/de/form-texts.json", {
        with: { type: "json" },
      });
      return translatedForms(forms, texts);
    },
    staleTime: FORMS_STALE_MS,
  });
}

/** The forms of checks with the texts of a catalogue by the English ones; what it has not stays English. */
function translatedForms(forms: Forms, catalogue: Readonly<Record<string, string>>): Forms {
  const translated = (text: string): string => catalogue[text] ?? text;
  const parametersOf = (parameters: Forms["common"]): Forms["common"] =>
    parameters.map((parameter) => ({
      ...parameter,
      title: translated(parameter.title),
      help: translated(parameter.help),
      ...(parameter.choices !== undefined && {
        choices: parameter.choices.map(({ value, title }) => ({ value, title: translated(title) })),
      }),
    }));
  return {
    ...forms,
    common: parametersOf(forms.common),
    services: forms.services.map((service) => ({
      ...service,
      parameters: parametersOf(service.parameters),
    })),
    checks: forms.checks.map((check) => ({
      ...check,
      title: translated(check.title),
      summary: translated(check.summary),
      parameters: parametersOf(check.parameters),
    })),
  };
}

/** Returns the stored check, reloaded whenever a form for it is opened. */
export function useCheck(id: string | undefined): UseQueryResult<Check> {
  return useQuery({
    queryKey: ["checks", "record", id],
    queryFn: async () => {
      const path = { id: id ?? "" };
      return recordOf<Check>(await dataOf(api.GET("/checks/{id}", { params: { path } })));
    },
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
    // Reloading would discard the entered values if the check changed meanwhile.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** A choice of a list, under the title of its group. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface RecipientChoices {
  readonly contacts: readonly Choice[];
  readonly addresses: readonly Choice[];
  readonly groups: readonly Choice[];
  readonly profiles: readonly Choice[];
  readonly schedules: readonly string[];
}

/** Everybody who can be alerted, and when. */
export function useRecipientChoices(): UseQueryResult<RecipientChoices> {
  return useQuery({
    queryKey: ["recipients"],
    // Somebody may have been added for the sake of this form.
    staleTime: 0,
    queryFn: async () => {
      const [contacts, groups, profiles, schedules] = await Promise.all([
        dataOf(api.GET("/contacts")),
        dataOf(api.GET("/contactgroups")),
        dataOf(api.GET("/notificationprofiles")),
        dataOf(api.GET("/schedules")),
      ]);
      const everybody = recordsOf<Contact>(contacts);
      return {
        contacts: everybody.map(choiceOf),
        addresses: everybody.flatMap(({ name, addresses }) =>
          Object.entries(addresses ?? {}).map(([id, address]) => ({
            value: id,
            label: `${name || address.type}: ${addressWords(address)}`,
          })),
        ),
        groups: recordsOf<Named>(groups).map(choiceOf),
        profiles: recordsOf<Named>(profiles).map(choiceOf),
        schedules: Object.keys(schedules),
      };
    },
  });
}

type Contact = components["schemas"]["Contact"];

interface Named {
  readonly _id: string;
  readonly name: string;
}

function choiceOf({ _id, name }: Named): Choice {
  return { value: _id, label: name || _id };
}

/** The regions and locations that checks can run from. */
export function useLocationChoices(): UseQueryResult<{
  readonly regions: readonly Choice[];
  readonly locations: readonly Choice[];
}> {
  return useQuery({
    queryKey: ["locations", "choices"],
    queryFn: async () => {
      const [regions, locations] = await Promise.all([
        dataOf(api.GET("/info/location")),
        dataOf(api.GET("/info/probe")),
      ]);
      return {
        regions: Object.entries(regions).map(([value, region]) => ({
          value,
          label: regionName(region) || value,
        })),
        locations: Object.keys(locations).map((value) => ({ value, label: value })),
      };
    },
  });
}

function regionName(region: unknown): string {
  if (typeof region !== "object" || region === null || !("regionname" in region)) return "";
  return String(region.regionname);
}

/** The other checks, for the one that a check depends on. */
export function useCheckChoices(): UseQueryResult<readonly Choice[]> {
  return useQuery({
    queryKey: ["checks", "choices"],
    queryFn: async () => {
      const checks = listOf(await dataOf(api.GET("/statuses")));
      return [...checks].map(([value, { label }]) => ({ value, label: label || value }));
    },
  });
}

/** Whether somebody is alerted of checks that name nobody. */
export function useHasDefaultRecipients(): UseQueryResult<boolean> {
  const { customer_id: id } = useSession();
  return useQuery({
    queryKey: ["accounts", id, "default-recipients"],
    queryFn: async () => {
      const account = await dataOf(api.GET("/accounts/{id}", { params: { path: { id } } }));
      return "defaultnotifications" in account && Array.isArray(account.defaultnotifications)
        ? account.defaultnotifications.length > 0
        : false;
    },
  });
}
