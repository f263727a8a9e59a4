import { Select } from "@mantine/core";
import { useMemo, type ReactElement } from "react";

import type { MessageId } from "../../locales/catalogue.ts";
import { useText } from "../../text.ts";
import type { Declared, Field } from "./field.ts";
import { foundAmong } from "./found-among.ts";
import { browserZone } from "./zone.ts";
import { findZones, zonesAt } from "./zones.ts";

/** The name of a time zone. */
export function zoneField<Values extends object>(
  declared: Declared<string, Values> & { readonly none?: MessageId },
): Field<string, Values> {
  const { none } = declared;
  return {
    initial: "",
    ...declared,
    Control({ label, description, value, change, error }) {
      const text = useText();
      return (
        <ZoneField
          {...{ label, value, error }}
          {...(description !== undefined && { description })}
          {...(none !== undefined && { none: text(none) })}
          choose={change}
        />
      );
    },
  };
}

interface ZoneProps {
  readonly label: string;
  readonly description?: string;
  /** The name of the zone; empty for none. */
  readonly value: string;
  readonly choose: (zone: string) => void;
  /** Label for no zone, if that is allowed. */
  readonly none?: string;
  readonly error: string | undefined;
}

/** The name of no zone. */
const NONE = "none";

/** Chooses a time zone by its city, region or offset. The zone of the browser comes first, because it is the most likely one. */
function ZoneField(props: ZoneProps): ReactElement {
  const { label, description, value, choose, none, error } = props;
  const text = useText();
  const zones = useMemo(() => {
    const here = browserZone();
    return zonesAt(Date.now(), value === "" ? [here] : [value, here]);
  }, [value]);
  const without = none === undefined ? [] : [{ value: NONE, label: none }];
  return (
    <Select
      label={label}
      description={description}
      error={error}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      data={[...without, ...zones.map((zone) => ({ value: zone.name, label: zone.label }))]}
      filter={({ options, search }) => {
        const found = [
          ...foundAmong(without, search, (option) => option.label).map((option) => option.value),
          ...findZones(zones, search).map(({ name }) => name),
        ];
        const names = new Set(found);
        return options.filter((option) => "value" in option && names.has(option.value));
      }}
      nothingFoundMessage={text("records.noZone")}
      maxDropdownHeight={260}
      value={value === "" ? NONE : value}
      onChange={(chosen) => choose(chosen === null || chosen === NONE ? "" : chosen)}
      // Typing replaces the selected zone.
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}
