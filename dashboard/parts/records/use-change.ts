import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

import { useToast } from "./use-toast.ts";

interface Change<Input, Data> {
  readonly send: (input: Input) => Promise<Data>;
  /** First words of the keys of what is to be loaded again. */
  readonly refreshes: readonly string[];
  /** Message after success. */
  readonly done?: string;
  readonly onDone?: (data: Data, input: Input) => void;
  /** Whether to show errors as a toast, because no form is open to show them. */
  readonly toastsError?: boolean;
}

/** A change of records: loads again what it changes, and shows what of it will not work. */
export function useChange<Input, Data>({
  send,
  refreshes,
  done,
  onDone,
  toastsError = false,
}: Change<Input, Data>): UseMutationResult<Data, Error, Input> {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: send,
    async onSuccess(data, input) {
      await Promise.all(refreshes.map((key) => client.invalidateQueries({ queryKey: [key] })));
      const warning = warningIn(data);
      if (warning !== undefined) toast(warning, "warning");
      else if (done !== undefined) toast(done);
      onDone?.(data, input);
    },
    onError({ message }) {
      if (toastsError) toast(message, "error");
    },
  });
}

function warningIn(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("warning" in data)) return undefined;
  return typeof data.warning === "string" ? data.warning : undefined;
}
