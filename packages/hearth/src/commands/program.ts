// The commands of `hearth`, with their help. `device`, `seal` and `admin` are listed here and parsed by themselves. The others are loaded only
// when they run: `status` needs no gateway.

import { Argument } from 'commander'
import { createRequire } from 'node:module'
import { versionOf } from '@hearth/command-line/version'
import { asSentence, type CommandEntry, type ProgramEntry } from '@hearth/command-line/program/commands'
import type { Say } from './say.ts'
import { START_OPTIONS, type StartFlags } from '../start/options.ts'

const ownPackage = createRequire(import.meta.url)('../../package.json') as { version: string }

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Context {
  say: Say
  complete: (shell: Shell) => Promise<string>
}

interface Values extends StartFlags {
  json?: boolean
  print?: boolean
  lines?: string
  follow?: boolean
  yes?: boolean
  everything?: boolean
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

interface OwnCommand extends CommandEntry<Context> {
  /** Follow the summary in its help. */
  notes: string
  run(context: Context, values: Values, word?: unknown): Promise<number> | number
}

const OWN = [
  own({
    name: 'start',
    summary: 'run Hearth on this machine: the gateway, its console and a device',
    notes:
      'The same as npm start where you cloned Hearth. A process that dies is started again. Press Ctrl-C to stop. Your data stays for the next start. At the first one, an API key is created and shown once, or HEARTH_BOOTSTRAP_KEY (sk-hearth-…) sets it, for automation.',
    options: START_OPTIONS,
    examples: [
      ['start', 'on port 8080, with a small starter model'],
      ['start --port 9000 --model qwen3:8b', 'with a better model'],
      ['start --gateways 3', 'for many requests'],
    ],
    async run(_, flags) {
      await (await import('./start.ts')).start(flags)
      return 0
    },
  }),
  own({
    name: 'status',
    summary: 'show what runs on this machine',
    notes: 'Exits with 3 if nothing runs that you may manage.',
    options: [DATA, ['--json', 'print JSON, for scripts']],
    examples: [
      ['status', 'its address, its data, its health and its models'],
      ['status --json', 'the same for a script'],
    ],
    run: async ({ say }, { data, json = false }) =>
      (await import('./status.ts')).showStatus({ data, isJson: json }, say),
  }),
  own({
    name: 'open',
    summary: 'open the console in your browser',
    notes: 'Until the owner has a password, the link is a new one that works once and makes you the owner.',
    options: [DATA, ['--print', 'only print the link']],
    examples: [
      ['open', 'opens the console and prints its link'],
      ['open --print', 'for a browser on another machine'],
    ],
    run: async (_, { data, print = false }) => (await import('./open.ts')).openConsole({ data, isPrint: print }),
  }),
  own({
    name: 'logs',
    summary: 'show what Hearth has logged lately',
    notes:
      'Hearth keeps the last lines of the gateway and the device in its data folder, at most 2 MB. They never contain prompts or answers.',
    options: [DATA, ['--lines <count>', 'how many lines (default: 100)'], ['--follow', 'keep printing new lines']],
    examples: [
      ['logs', 'the last 100 lines'],
      ['logs --follow', 'and new ones as they come; press Ctrl-C to stop'],
    ],
    run: async (_, { data, lines, follow = false }) =>
      (await import('./logs.ts')).showLogs(data, { lines, follows: follow }),
  }),
  own({
    name: 'stop',
    summary: 'stop the Hearth that runs',
    notes:
      'The same as Ctrl-C in its terminal. If a service runs it, stop the service instead: it may start Hearth again. Exits with 3 if nothing runs.',
    options: [DATA],
    examples: [['stop', 'requests that are being answered end first']],
    run: async ({ say }, { data }) => (await import('./stop.ts')).stop(data, say),
  }),
  own({
    name: 'restart',
    summary: 'replace its processes with new ones, for example after an update',
    notes:
      'A new gateway takes over beside the old one, which finishes its requests; then the device starts again. No request fails: some wait until the device has finished what it does. The program that supervises them, the database and NATS keep running. With --everything they start again too, in the same terminal or service and with the same options and variables; requests get no answer in between. Not on Windows.',
    options: [DATA, ['--everything', 'stop all of it and start it again']],
    examples: [
      ['restart', 'returns when the old gateway has finished its requests'],
      ['restart --everything', 'returns when the gateway answers again'],
    ],
    run: async ({ say }, { data, everything = false }) => (await import('./stop.ts')).restart(data, everything, say),
  }),
  own({
    name: 'uninstall',
    summary: 'remove this command',
    notes: 'Leaves your data and the folder that you cloned, and says where they are.',
    options: [['--yes', 'ask nothing']],
    examples: [['uninstall', 'asks first']],
    run: async ({ say }, { yes = false }) => (await import('./uninstall.ts')).uninstall(yes, say),
  }),
  own({
    name: 'completion',
    summary: 'print completions for your shell',
    notes: 'They complete the command hearth.',
    arguments: [new Argument('<shell>').choices(SHELLS)],
    examples: [
      ['completion bash >> ~/.bashrc', 'for Bash'],
      ['completion zsh >> ~/.zshrc', 'for Zsh, after compinit'],
      ['completion fish > ~/.config/fish/completions/hearth.fish', 'for fish'],
    ],
    async run({ complete }, _, shell) {
      console.log(await complete(shell as Shell))
      return 0
    },
  }),
]

export const OWN_NAMES = OWN.map(({ name }) => name)

export const PROGRAM: ProgramEntry<Context> = {
  name: 'hearth',
  summary: 'One private chat-completions API, answered by your own machines.',
  version: versionOf(ownPackage),
  after: EXAMPLES,
  afterError: 'For all commands: hearth --help',
  commands: [
    ...OWN,
    { name: 'device', summary: 'look after this machine as a device: models, pause, doctor' },
    { name: 'seal', summary: 'seal requests, so that only devices that you approved can read them' },
    { name: 'admin', summary: 'manage organizations, people, API keys, models and devices' },
  ],
}

function own({ notes, ...command }: OwnCommand): CommandEntry<Context> {
  return { ...command, description: `${asSentence(command.summary)} ${notes}` }
}
