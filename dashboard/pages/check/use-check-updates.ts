import { useDocumentVisibility } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { accountOf } from "../../api/account-choice.ts";
import { askWhoIsSignedIn } from "../../api/query-client.ts";
import { checkKey } from "./check-queries.ts";

/** What changes with a run of a check alone. */
const ofRuns: ReadonlySet<unknown> = new Set(["last", "status"]);

/** Asks for the check anew as soon as anything happens to it, for as long as the page is seen. Over a stream of its own: what it hears, the list of all checks does not. */
export function useCheckUpdates(id: string): void {
  const client = useQueryClient();
  const isSeen = useDocumentVisibility() === "visible";
  useEffect(() => {
    if (!isSeen) return undefined;
    const account = accountOf();
    const query = new URLSearchParams({
      watch: id,
      ...(account !== undefined && { customerid: account }),
    });
    const source = new EventSource(`/api/1/updates?${query.toString()}`);
    const askAnew = () => client.invalidateQueries({ queryKey: checkKey(id) });
    const on = (name: string, names: (data: string) => boolean, happened: () => unknown): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (names(data)) void happened();
      });
    let hasBegun = false;
    // The first one says that the stream begins: what is shown was read just now.
    source.addEventListener("reset", () => {
      if (hasBegun) void askAnew();
      hasBegun = true;
    });
    const isNamed = (data: string): boolean => data.includes(JSON.stringify(id));
    for (const name of ["statuses", "removed", "alerted"]) on(name, isNamed, askAnew);
    on("runs", isNamed, () =>
      client.invalidateQueries({
        queryKey: checkKey(id),
        predicate: ({ queryKey }) => ofRuns.has(queryKey[2]),
      }),
    );
    source.addEventListener("error", () => void askWhoIsSignedIn());
    return () => source.close();
  }, [client, id, isSeen]);
}
