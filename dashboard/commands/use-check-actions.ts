import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { api, dataOf } from "../api/api.ts";
import { statusAt, type Status } from "../live/status-list.ts";
import type { MessageId } from "../locales/catalogue.ts";
import { useToast } from "../parts/records/use-toast.ts";
import { visibleText } from "../parts/visible-text.ts";
import { useMay, useSession } from "../shell/session.ts";
import { useText } from "../text.ts";
import type { Candidate } from "./candidates.ts";

interface Action {
  readonly text: MessageId;
  readonly fits: (status: Status, now: number) => boolean;
  readonly send: (id: string, by: string) => Promise<unknown>;
}

const change = (body: { readonly mute?: boolean; readonly enabled?: boolean }) => (id: string) =>
  dataOf(api.PUT("/checks/{id}", { params: { path: { id } }, body }));
const isMuted = ({ mute }: Status, now: number): boolean => mute === true || (mute ?? 0) > now;

const actions: readonly Action[] = [
  {
    text: "check.acknowledge",
    fits: (status, now) =>
      statusAt(status, now).status === "down" && status.acknowledged === undefined,
    send: (id, by) =>
      dataOf(
        api.POST("/checks/acknowledge/{id}", { params: { path: { id } }, body: { by, note: "" } }),
      ),
  },
  {
    text: "checks.mute",
    fits: (status, now) => !isMuted(status, now),
    send: change({ mute: true }),
  },
  { text: "checks.unmute", fits: isMuted, send: change({ mute: false }) },
  {
    text: "check.pause",
    fits: ({ status }) => status !== "paused",
    send: change({ enabled: false }),
  },
  {
    text: "check.resume",
    fits: ({ status }) => status === "paused",
    send: change({ enabled: true }),
  },
];

/** Offers what can be done about checks where a word begins the name of an action. */
export function useCheckActions(): (
  words: string,
  checks: Iterable<Status>,
) => readonly Candidate[] {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const mayEdit = useMay("edit");
  const { name: by } = useSession();
  const { mutate } = useMutation({
    mutationFn: ({ action, id }: { readonly action: Action; readonly id: string }) =>
      action.send(id, by),
    async onSuccess() {
      toast(text("records.saved"));
      await client.invalidateQueries({ queryKey: ["checks"] });
    },
    onError: ({ message }) => toast(message, "error"),
  });
  return useCallback(
    (words, checks) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const named = actions.filter(({ text: id }) =>
        wanted.some((word) => text(id).toLowerCase().startsWith(word)),
      );
      if (!mayEdit || named.length === 0) return [];
      const now = Date.now();
      return [...checks].flatMap((status) =>
        named
          .filter(({ fits }) => fits(status, now))
          .map((action) => ({
            id: `${action.text}-${status.id}`,
            name: text("commands.act", {
              action: text(action.text),
              name: visibleText(status.label) || status.id,
            }),
            run: () => mutate({ action, id: status.id }),
          })),
      );
    },
    [text, mayEdit, mutate],
  );
}
