import { InvalidArgumentError, type Command } from "commander";

import type { CommandContext } from "../command-context.ts";

/** Each asks the program itself for what fits, one candidate a line with what it means behind a tab. */
const scripts = {
  bash: `_watchpost() {
  local value
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case "\${COMP_WORDS[COMP_CWORD]}" in
      [\\"\\']*) COMPREPLY+=("$value") ;;
      *) COMPREPLY+=("$(printf %q "$value")") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _watchpost watchpost ./watchpost
`,
  zsh: `#compdef watchpost
_watchpost() {
  local value about
  local -a candidates
  while IFS=$'\\t' read -r value about; do
    candidates+=("\${value//:/\\\\:}:$about")
  done < <("\${words[1]}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe watchpost candidates; else _files; fi
}
compdef _watchpost watchpost ./watchpost
`,
  fish: `function __watchpost_complete
  set -l words (commandline -opc)
  $words[1] __complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c watchpost -f -a '(__watchpost_complete)'
`,
} as const;

type Shell = keyof typeof scripts;

export function addCompletion(parent: Command, { print }: CommandContext): void {
  parent
    .command("completion")
    .summary("print what makes a shell complete commands, options and names")
    .description(
      "Prints a script by which a shell completes commands, options, and the ids and labels of records, which it asks the installation for.",
    )
    .argument("<shell>", `one of ${Object.keys(scripts).join(", ")}`, shellOf)
    .addHelpText(
      "after",
      `
Examples:
  $ source <(./watchpost completion bash)     # in ~/.bashrc
  $ source <(./watchpost completion zsh)      # in ~/.zshrc, after compinit
  $ ./watchpost completion fish | source      # in ~/.config/fish/config.fish`,
    )
    .action((shell: Shell) => print(scripts[shell]));
}

function shellOf(given: string): Shell {
  const shell = Object.keys(scripts).find((each): each is Shell => each === given);
  if (shell === undefined)
    throw new InvalidArgumentError(`It is one of ${Object.keys(scripts).join(", ")}.`);
  return shell;
}
