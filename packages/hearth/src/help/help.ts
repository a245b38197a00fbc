// The help of `hearth` and of its own commands, printed from the table.

import { OWN_COMMANDS, SUMMARIES, type CommandEntry } from './command-table.ts'

export const HELP = `hearth <command>

One private chat-completions API, answered by your own machines.

Commands:
${alignPairs(SUMMARIES)}

Examples:
  Start, and get your first answer with the request that it prints:
    $ hearth start

  Serve a better model:
    $ hearth start --model qwen3:8b

  See what runs, open the console, look into the log:
    $ hearth status
    $ hearth open
    $ hearth logs --follow

  Create an API key for an app, and invite a person:
    $ hearth admin key create my-app
    $ hearth admin invitation create

  Use your machine for something else for a while:
    $ hearth device pause
    $ hearth device resume

  Find out why something doesn't work:
    $ hearth device doctor

For the options of a command, run hearth <command> --help. For the version: hearth --version.
Commands find the Hearth that runs on this machine by themselves.`

export function helpOf({ name, argument, summary, flags, examples, notes }: CommandEntry): string {
  const title = `hearth ${name} ${argument}\n\n${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${notes}`
  const options = flags.length === 0 ? '' : `\n\nOptions:\n${alignPairs(flags)}`
  const lines = examples.map(([command, what]) => [`hearth ${command}`, what] as const)
  return `${title}${options}\n\nExamples:\n${alignPairs(lines)}`
}

export function findOwn(name: string): CommandEntry | undefined {
  return OWN_COMMANDS.find((command) => command.name === name)
}

function alignPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
