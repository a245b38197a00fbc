// The commands of `hearth`, with their help. `start`, `device`, `seal` and `admin` are listed here and parsed by themselves.

import { Argument, Command } from 'commander'
import { createRequire } from 'node:module'
import { asSentence } from '@hearth/command-line/terminal/as-sentence'
import type { Output } from '@hearth/command-line/terminal/screen'
import { FLAGS } from '../start/options.ts'

const ownPackage = createRequire(import.meta.url)('../../package.json') as { version: string }

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export interface Values {
  data?: string
  json?: boolean
  print?: boolean
  lines?: string
  follow?: boolean
  yes?: boolean
  shell?: Shell
}

export interface ProgramWorld {
  stdout: Output
  stderr: Output
  act: (name: string, values: Values) => Promise<void>
}

const EXAMPLES = `
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

Commands find the Hearth on this machine by themselves: the one in the folder where you are, or else the one that runs. If it is not clear which
one you mean, a command that changes something names them and stops.`

const DATA = [
  '--data <folder>',
  'data folder of the Hearth that you mean (HEARTH_DATA; default: the one here, or the one that runs)',
] as const
const JSON_FLAG = ['--json', 'print JSON, for scripts'] as const

type Flag = readonly [flags: string, help: string]

interface OwnCommand {
  summary: string
  notes: string
  flags: readonly Flag[]
  examples: readonly Flag[]
}

const OWN: Readonly<Record<string, OwnCommand>> = {
  status: {
    summary: 'show what runs on this machine',
    notes: 'Exits with 3 if nothing runs that you may manage.',
    flags: [DATA, JSON_FLAG],
    examples: [
      ['status', 'its address, its data and its models'],
      ['status --json', 'the same for a script'],
    ],
  },
  open: {
    summary: 'open the console in your browser',
    notes: 'Until the owner has a password, the link is a new one that works once and makes you the owner.',
    flags: [DATA, ['--print', 'only print the link']],
    examples: [
      ['open', 'opens the console and prints its link'],
      ['open --print', 'for a browser on another machine'],
    ],
  },
  logs: {
    summary: 'show what Hearth has logged lately',
    notes:
      'Hearth keeps the last lines of the gateway and the device in its data folder, at most 2 MB. They never contain prompts or answers.',
    flags: [DATA, ['--lines <count>', 'how many lines (default: 100)'], ['--follow', 'keep printing new lines']],
    examples: [
      ['logs', 'the last 100 lines'],
      ['logs --follow', 'and new ones as they come; press Ctrl-C to stop'],
    ],
  },
  stop: {
    summary: 'stop the Hearth that runs',
    notes:
      'The same as Ctrl-C in its terminal. If a service runs it, stop the service instead: it may start Hearth again. Exits with 3 if nothing runs.',
    flags: [DATA],
    examples: [['stop', 'requests that are being answered end first']],
  },
  restart: {
    summary: 'stop it and start it again, for example after an update',
    notes:
      'It starts again in the same terminal or service, with the same options and variables. Requests get no answer in between. Not on Windows.',
    flags: [DATA],
    examples: [['restart', 'returns when the gateway answers again']],
  },
  uninstall: {
    summary: 'remove this command',
    notes: 'Leaves your data and the folder that you cloned, and says where they are.',
    flags: [['--yes', 'ask nothing']],
    examples: [['uninstall', 'asks first']],
  },
  completion: {
    summary: 'print completions for your shell',
    notes: 'They complete the command hearth.',
    flags: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'for Bash'],
      ['completion zsh >> ~/.zshrc', 'for Zsh, after compinit'],
      ['completion fish > ~/.config/fish/completions/hearth.fish', 'for fish'],
    ],
  },
}

export const OWN_NAMES = Object.keys(OWN)

/** All commands, without running one. */
export function createProgram({ stdout, stderr, act }: ProgramWorld): Command {
  const program = new Command('hearth')
    .usage('<command>')
    .description('One private chat-completions API, answered by your own machines.')
    .version(ownPackage.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('For all commands: hearth --help')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
  addStart(program)
  for (const [name, own] of Object.entries(OWN)) addOwn(program, name, own, act)
  program.command('device').summary('look after this machine as a device: models, pause, doctor')
  program.command('seal').summary('seal requests, so that only devices that you approved can read them')
  program.command('admin').summary('manage organizations, people, API keys, models and devices')
  return program
}

function addStart(program: Command): void {
  const start = program.command('start').summary('run Hearth on this machine: the gateway, its console and a device')
  for (const [flag, , help] of FLAGS) if (flag !== '') start.option(flag.replace(/ (\w+)$/, ' <$1>'), help)
}

function addOwn(program: Command, name: string, own: OwnCommand, act: ProgramWorld['act']): void {
  const { summary, notes, flags, examples } = own
  const command = program
    .command(name)
    .summary(summary)
    .description(`${asSentence(summary)} ${notes}`)
  for (const [flag, help] of flags) command.option(flag, help)
  if (name === 'completion') command.addArgument(new Argument('<shell>').choices(SHELLS))
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, what]) => `  hearth ${line.padEnd(width)}  ${what}`)
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  command.action(() => act(name, { ...command.opts<Values>(), shell: command.args[0] as Shell }))
}
