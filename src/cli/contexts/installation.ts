import { CommandError, type CommandContext, type LocalSettings } from "../command-context.ts";
import { contextNamed, readContexts, type Contexts } from "./context-file.ts";

export interface ApiOptions {
  readonly url?: string;
  readonly token?: string;
  readonly account?: string;
  readonly context?: string;
}

/** Target and credentials of a command's requests. */
export interface ApiTarget {
  /** The base of the API. */
  readonly root: string;
  readonly token: string;
  readonly account: string | undefined;
}

export const howToGetToken =
  "log in with `watchpost login`, or set --token or WATCHPOST_TOKEN; on the machine of the installation, `./watchpost token create` creates one";

type Sources = Pick<CommandContext, "settings" | "configFolder">;

/**
 * Resolves the API options: the command line takes precedence, then the settings, then the context. A token is sent only to its own installation: a context's
 * token goes to no other URL.
 */
export async function resolveApiTarget(
  sources: Sources,
  { url, token, account, context: named }: ApiOptions,
): Promise<ApiTarget> {
  const of = (where: LocalSettings, own?: string): ApiTarget => {
    if (where.token === undefined) throw new CommandError(`no token: ${howToGetToken}`);
    const root = `${baseOf(where.url)}/api/1`;
    return { root, token: where.token, account: account ?? own };
  };
  if (named !== undefined) {
    if (url !== undefined || token !== undefined)
      throw new CommandError("--context has a URL and a token: give either it, or those");
    const found = contextNamed(await readContexts(sources.configFolder), named);
    return of(found, found.account);
  }
  if (url !== undefined && token !== undefined) return of({ url, token });
  const local = await sources.settings();
  if (url === undefined && (token ?? local.token) !== undefined)
    return of({ url: local.url, token: token ?? local.token });
  if (url !== undefined && local.token !== undefined) return of({ url, token: local.token });
  const found = matching(await readContexts(sources.configFolder), url);
  return found === undefined
    ? of({ url: url ?? local.url, token: undefined })
    : of(found, found.account);
}

/** The URL of an installation, also from that of its API. */
function baseOf(url: string): string {
  const base = trimmed(url).replace(/\/api\/1$/, "");
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
    throw new CommandError(
      `${JSON.stringify(url)} is not the URL of an installation, such as https://watchpost.example.com`,
    );
  return base;
}

/** The current context, or one of that URL. */
function matching({ current, byName }: Contexts, url: string | undefined) {
  if (url === undefined) return current === undefined ? undefined : byName[current];
  return Object.values(byName).find((each) => trimmed(each.url) === trimmed(url));
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
