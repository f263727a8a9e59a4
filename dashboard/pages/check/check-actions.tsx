import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, type ReactElement, type RefObject } from "react";
import { Link } from "wouter";

import { Dialog } from "../../parts/dialog.tsx";
import { api, dataOf } from "../../api/api.ts";
import { DraftNotice } from "../../parts/draft/draft-notice.tsx";
import { leave } from "../../parts/draft/leaving.ts";
import { useDraft } from "../../parts/draft/use-draft.ts";
import { MuteMenu } from "../../parts/mute-menu.tsx";
import { useToast } from "../../parts/records/use-toast.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { useMay, useSession } from "../../shell/session.ts";
import { useText } from "../../text.ts";
import { checkKey, isHeartbeat, type Check } from "./check-queries.ts";

/** Longer than anybody reads; the service refuses more than 500 characters. */
const MAX_NOTE_LENGTH = 500;

/** Actions for a check, for users who may perform them. */
export function CheckActions({ check }: { readonly check: Check }): ReactElement | null {
  const text = useText();
  const change = useChange(check);
  const actions = useFocusOnChanged(change);
  if (!useMay("edit")) return null;
  const isOn = check.enable === "active";
  const isMuted = check.mute !== false;
  return (
    <Group gap="sm" ref={actions}>
      {check.state === 0 && isOn && <AcknowledgeButton check={check} />}
      {isOn && !isHeartbeat(check) && <RunButton id={check._id} />}
      {isMuted ? (
        <Button
          variant="default"
          data-changes="mute"
          loading={change.isPending}
          onClick={() => change.mutate({ mute: false })}
        >
          {text("checks.unmute")}
        </Button>
      ) : (
        <MuteMenu
          data-changes="mute"
          loading={change.isPending}
          mute={(mute) => change.mutate({ mute })}
        />
      )}
      <Button
        variant="default"
        data-changes="enabled"
        loading={change.isPending}
        onClick={() => change.mutate({ enabled: !isOn })}
      >
        {text(isOn ? "check.pause" : "check.resume")}
      </Button>
      <Button variant="default" component={Link} href={`/checks/${check._id}/edit`}>
        {text("common.edit")}
      </Button>
    </Group>
  );
}

/** Gives the focus to what stands in the place of the button that made a change: while that was pending, it could not keep the focus. */
function useFocusOnChanged({
  isPending,
  variables,
}: Pick<
  ReturnType<typeof useChange>,
  "isPending" | "variables"
>): RefObject<HTMLDivElement | null> {
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [changed] = Object.keys(variables ?? {});
    if (isPending || changed === undefined || document.activeElement !== document.body) return;
    actions.current?.querySelector<HTMLElement>(`[data-changes="${changed}"]`)?.focus();
  }, [isPending, variables]);
  return actions;
}

interface Change {
  readonly mute?: boolean | number;
  readonly enabled?: boolean;
}

function useChange({ _id: id }: Check) {
  const done = useDone(id);
  return useMutation({
    mutationFn: (body: Change) =>
      dataOf(api.PUT("/checks/{id}", { params: { path: { id } }, body })),
    ...done,
  });
}

/** Shows the result of a change: the updated page, or the reason for the refusal. */
function useDone(id: string) {
  const client = useQueryClient();
  const text = useText();
  return {
    onSuccess: () => client.invalidateQueries({ queryKey: checkKey(id) }),
    onError: (error: Error) =>
      void notifications.show({
        color: "red",
        title: text("check.notDone"),
        message: visibleText(error.message),
      }),
  };
}

function RunButton({ id }: { readonly id: string }): ReactElement {
  const text = useText();
  const toast = useToast();
  const done = useDone(id);
  const run = useMutation({
    mutationFn: () => dataOf(api.POST("/checks/run/{id}", { params: { path: { id } } })),
    ...done,
    // The result may be out of view or equal to the previous one.
    onSuccess: () => toast(text("overview.started")),
  });
  return (
    <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
      {text("check.runNow")}
    </Button>
  );
}

function AcknowledgeButton({ check }: { readonly check: Check }): ReactElement {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure(false);
  const withdrawal = useAcknowledgement(check._id);
  if (check.acknowledged !== undefined)
    return (
      <Button
        variant="default"
        loading={withdrawal.isPending}
        onClick={() => withdrawal.mutate({ acknowledge: false })}
      >
        {text("check.withdraw")}
      </Button>
    );
  return (
    <>
      <Button onClick={open}>{text("check.acknowledge")}</Button>
      <Dialog
        opened={isOpen}
        onClose={() => leave(close)}
        title={text("check.acknowledge")}
        closeOnClickOutside={false}
      >
        <AcknowledgeForm id={check._id} close={close} />
      </Dialog>
    </>
  );
}

type Acknowledgement =
  | { readonly acknowledge: false }
  | { readonly by: string; readonly note: string };

function useAcknowledgement(id: string, onDone?: () => void) {
  const done = useDone(id);
  return useMutation({
    mutationFn: (body: Acknowledgement) =>
      dataOf(api.POST("/checks/acknowledge/{id}", { params: { path: { id } }, body })),
    ...done,
    onSuccess() {
      onDone?.();
      return done.onSuccess();
    },
  });
}

interface FormProps {
  readonly id: string;
  readonly close: () => void;
}

function AcknowledgeForm({ id, close }: FormProps): ReactElement {
  const text = useText();
  const { name } = useSession();
  const draft = useDraft({ form: "acknowledgement", record: id, before: { note: "" } });
  const { note } = draft.values;
  // If it fails, the note is kept.
  const acknowledgement = useAcknowledgement(id, () => {
    draft.clear();
    close();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        acknowledgement.mutate({ by: name, note });
      }}
    >
      <Stack>
        <DraftNotice draft={draft} />
        <Textarea
          label={text("check.note")}
          description={text("check.noteHelp")}
          value={note}
          maxLength={MAX_NOTE_LENGTH}
          onChange={(event) => draft.set({ note: event.currentTarget.value })}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => draft.leave(close)}>
            {text("common.cancel")}
          </Button>
          <Button type="submit" loading={acknowledgement.isPending}>
            {text("check.acknowledge")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
