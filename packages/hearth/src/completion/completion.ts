// Prints the completions for a shell. Each script walks the words before the cursor, as far as they are commands, and offers what can follow.

import { quote } from '@hearth/command-line/terminal/quote'
import type { Shell } from '../commands/program.ts'
import { readCommandTree, type CommandTree, type Completion } from './command-tree.ts'

export function printCompletion(shell: Shell): string {
  return PRINTERS[shell](readCommandTree())
}

const PRINTERS: Record<Shell, (tree: CommandTree) => string> = { bash: printBash, zsh: printZsh, fish: printFish }

function printBash(tree: CommandTree): string {
  const cases = cased(tree, (completions) => `words=${quote(completions.map(({ word }) => word).join(' '))}`)
  return `_hearth() {
  local at='' words='' word
${walk(tree, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$at" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hearth hearth`
}

function printZsh(tree: CommandTree): string {
  const cases = cased(tree, (completions) => `offers=(${completions.map(describeForZsh).join(' ')})`)
  return `_hearth() {
  local at='' word
  local -a offers
${walk(tree, '${words[2,CURRENT-1]}')}
  case "$at" in
${cases}
  esac
  _describe 'hearth' offers || _files
}
compdef _hearth hearth`
}

function describeForZsh({ word, help }: Completion): string {
  return quote(help === '' ? word : `${word}:${help}`)
}

function printFish(tree: CommandTree): string {
  const offers = [...tree].flatMap(([path, completions]) =>
    completions.map(
      ({ word, help }) =>
        `complete -c hearth -n ${quote(`__hearth_is_at "${path}"`)} -a ${quote(word)} -d ${quote(help)}`,
    ),
  )
  return `function __hearth_is_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    contains -- $next ${pathsOf(tree).join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${offers.join('\n')}`
}

/** Follows the words before the cursor as far as they are commands. The same in bash and zsh. */
function walk(tree: CommandTree, words: string): string {
  return `  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${pathsOf(tree).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`
}

function pathsOf(tree: CommandTree): string[] {
  return [...tree.keys()].filter((path) => path !== '').map(quote)
}

function cased(tree: CommandTree, write: (completions: readonly Completion[]) => string): string {
  return [...tree].map(([path, completions]) => `    ${quote(path)}) ${write(completions)} ;;`).join('\n')
}
