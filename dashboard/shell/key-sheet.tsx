import { Table, Text } from "@mantine/core";
import type { ReactElement } from "react";

import type { MessageId } from "../locales/catalogue.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useText } from "../text.ts";

const keys: readonly (readonly [keys: readonly MessageId[], does: MessageId])[] = [
  [["commands.keyPalette"], "commands.title"],
  [["commands.keyQuestion"], "commands.showKeys"],
  [["commands.keySlash"], "commands.searchChecks"],
  [["commands.keyUp", "commands.keyDown"], "commands.moveInList"],
  [["commands.keyEnter"], "commands.openCheck"],
  [["commands.keySpace"], "commands.selectCheck"],
  [["commands.keyEscape"], "commands.closeDialog"],
];

/** The keys that do something in the dashboard. */
export function KeySheet({ close }: { readonly close: () => void }): ReactElement {
  const text = useText();
  return (
    <Dialog opened onClose={close} title={text("commands.keys")}>
      <Table layout="auto">
        <Table.Tbody>
          {keys.map(([names, does]) => (
            <Table.Tr key={does}>
              <Table.Th scope="row">
                {names.map((name) => (
                  <Text key={name} component="kbd" ff="monospace" mr="xs">
                    {text(name)}
                  </Text>
                ))}
              </Table.Th>
              <Table.Td>{text(does)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
