import { Button, Menu, Text, useMantineColorScheme } from "@mantine/core";
import {
  CommandPaletteIcon,
  GlobeIcon,
  MoonIcon,
  PersonIcon,
  SignOutIcon,
  SunIcon,
} from "@primer/octicons-react";
import type { ReactElement } from "react";
import { Link } from "wouter";

import { chooseLanguage, languages } from "../language.ts";
import { visibleText } from "../parts/visible-text.ts";
import { useLanguage, useText } from "../text.ts";
import { useSession } from "./session.ts";
import { signOut } from "./sign-out.ts";

/** Menu of the signed-in user and of this browser. */
export function AccountMenu({ showKeys }: { readonly showKeys: () => void }): ReactElement {
  const text = useText();
  const current = useLanguage();
  const { name: known } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shownName = visibleText(known) || text("navigation.you");
  const schemes = [
    { scheme: "light", icon: SunIcon },
    { scheme: "dark", icon: MoonIcon },
    { scheme: "auto", icon: GlobeIcon },
  ] as const;
  return (
    <>
      <Menu position="bottom-end" width={220} withinPortal>
        <Menu.Target>
          <Button variant="subtle" color="gray" c="inherit" px="xs" aria-label={shownName}>
            <PersonIcon size={16} />
            <Text span inherit truncate maw={200} ml="xs" visibleFrom="xs">
              {shownName}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} href="/account" leftSection={<PersonIcon size={16} />}>
            {text("account.title")}
          </Menu.Item>
          <Menu.Label c="dimmed">{text("navigation.appearance")}</Menu.Label>
          {schemes.map(({ scheme, icon: SchemeIcon }) => (
            <Menu.Item
              key={scheme}
              leftSection={<SchemeIcon size={16} />}
              fw={colorScheme === scheme ? 700 : undefined}
              aria-current={colorScheme === scheme ? "true" : undefined}
              onClick={() => setColorScheme(scheme)}
            >
              {text(`navigation.${scheme}`)}
            </Menu.Item>
          ))}
          <Menu.Label c="dimmed">{text("navigation.language")}</Menu.Label>
          {languages.map(({ code, name: language }) => (
            <Menu.Item
              key={code}
              lang={code}
              fw={code === current ? 700 : undefined}
              aria-current={code === current ? "true" : undefined}
              onClick={() => chooseLanguage(code)}
            >
              {language}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={showKeys} leftSection={<CommandPaletteIcon size={16} />}>
            {text("commands.keys")}
          </Menu.Item>
          <Menu.Item onClick={signOut} leftSection={<SignOutIcon size={16} />}>
            {text("navigation.signOut")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
