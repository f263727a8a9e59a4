import { Button, Group, Menu, Paper, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type ReactElement } from "react";

import { Dialog } from "../../parts/dialog.tsx";
import { MuteMenu } from "../../parts/mute-menu.tsx";
import { useText } from "../../text.ts";
import { useBulkChange, useMaintenance, type BulkChange } from "./use-bulk-change.ts";

interface Props {
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** As many as one request changes. */
const MAX_CHECKS = 1000;

/** Actions for all selected checks. */
export function BulkBar({ ids, clear }: Props): ReactElement {
  const text = useText();
  const bulk = useBulkChange();
  const maintenance = useMaintenance();
  const [isDeleting, deletion] = useDisclosure(false);
  const isTooMany = ids.length > MAX_CHECKS;
  const isOff = isTooMany || bulk.isPending || maintenance.isPending;
  const change = (wanted: BulkChange): void => bulk.mutate({ ids, change: wanted });
  const simple = [
    ["checks.enable", { enabled: true }],
    ["checks.disable", { enabled: false }],
    ["checks.unmute", { mute: false }],
    ["checks.acknowledge", { acknowledge: true }],
  ] as const;
  return (
    <Paper
      withBorder
      p="sm"
      mb="md"
      role="region"
      aria-label={text("checks.selected", { count: ids.length })}
    >
      <Group gap="sm">
        <Text fw={600} role="status">
          {text("checks.selected", { count: ids.length })}
        </Text>
        {simple.map(([id, wanted]) => (
          <Button
            key={id}
            size="xs"
            variant="default"
            disabled={isOff}
            onClick={() => change(wanted)}
          >
            {text(id)}
          </Button>
        ))}
        <MuteMenu size="xs" disabled={isOff} mute={(mute) => change({ mute })} />
        <Button
          size="xs"
          variant="default"
          disabled={isOff}
          onClick={() => maintenance.mutate(ids)}
        >
          {text("checks.maintain")}
        </Button>
        <TagMenu isOff={isOff} change={change} />
        <Button
          size="xs"
          variant="default"
          c="var(--wp-down)"
          disabled={isOff}
          onClick={deletion.open}
        >
          {text("common.delete")}
        </Button>
        <Button size="xs" variant="subtle" onClick={clear}>
          {text("checks.unselect")}
        </Button>
      </Group>
      {isTooMany && <Text c="var(--wp-down)">{text("checks.tooMany")}</Text>}
      <DeleteQuestion
        count={isDeleting ? ids.length : undefined}
        close={deletion.close}
        confirm={() => {
          change({ delete: true });
          clear();
        }}
      />
    </Paper>
  );
}

interface DeleteQuestionProps {
  /** Undefined while nobody is asked. */
  readonly count: number | undefined;
  readonly close: () => void;
  readonly confirm: () => void;
}

function DeleteQuestion({ count, close, confirm }: DeleteQuestionProps): ReactElement {
  const text = useText();
  return (
    <Dialog
      opened={count !== undefined}
      onClose={close}
      title={text("checks.confirmDelete", { count: count ?? 0 })}
    >
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {text("common.cancel")}
        </Button>
        <Button
          color="red.9"
          onClick={() => {
            close();
            confirm();
          }}
        >
          {text("common.delete")}
        </Button>
      </Group>
    </Dialog>
  );
}

interface TagMenuProps {
  readonly isOff: boolean;
  readonly change: (wanted: BulkChange) => void;
}

function TagMenu({ isOff, change }: TagMenuProps): ReactElement {
  const text = useText();
  const [tag, setTag] = useState("");
  const tags = [tag.trim()];
  const isEmpty = tag.trim() === "";
  return (
    <Menu withinPortal closeOnItemClick trapFocus={false}>
      <Menu.Target>
        <Button size="xs" variant="default" disabled={isOff}>
          {text("checks.tag")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown p="sm">
        <TextInput
          label={text("checks.tagName")}
          maxLength={100}
          value={tag}
          onChange={(event) => setTag(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
        />
        <Menu.Item disabled={isEmpty} onClick={() => change({ addtags: tags })}>
          {text("checks.addTag")}
        </Menu.Item>
        <Menu.Item disabled={isEmpty} onClick={() => change({ removetags: tags })}>
          {text("checks.removeTag")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
