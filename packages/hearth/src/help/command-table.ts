// The commands of `hearth`. Their help and the shell completions are printed from this table.

export interface CommandEntry {
  name: string
  /** After the name, in the usage. */
  argument: string
  summary: string
  flags: readonly (readonly [flag: string, help: string])[]
  examples: readonly (readonly [command: string, what: string])[]
  notes: string
}

const DATA = ['--data FOLDER', 'data folder of the Hearth that you mean (default: the one that runs)'] as const
const JSON_FLAG = ['--json', 'print JSON, for scripts'] as const

const status: CommandEntry = {
  name: 'status',
  argument: '[options]',
  summary: 'show what runs on this machine',
  flags: [DATA, JSON_FLAG],
  examples: [
    ['status', 'its address, its data and its models'],
    ['status --json', 'the same for a script'],
  ],
  notes: 'Exits with 3 if nothing runs.',
}

const open: CommandEntry = {
  name: 'open',
  argument: '[options]',
  summary: 'open the console in your browser',
  flags: [DATA, ['--print', 'only print the link']],
  examples: [
    ['open', 'opens the console and prints its link'],
    ['open --print', 'for a browser on another machine'],
  ],
  notes: 'Until the owner has a password, the link is a new one that works once and makes you the owner.',
}

const logs: CommandEntry = {
  name: 'logs',
  argument: '[options]',
  summary: 'show what Hearth has logged lately',
  flags: [DATA, ['--lines COUNT', 'how many lines (default: 100)'], ['--follow', 'keep printing new lines']],
  examples: [
    ['logs', 'the last 100 lines'],
    ['logs --follow', 'and new ones as they come; press Ctrl-C to stop'],
  ],
  notes:
    'Hearth keeps the last lines of the gateway and the device in its data folder, at most 2 MB. They never contain prompts or answers.',
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const completion: CommandEntry = {
  name: 'completion',
  argument: SHELLS.join('|'),
  summary: 'print completions for your shell',
  flags: [],
  examples: [
    ['completion bash >> ~/.bashrc', 'for Bash'],
    ['completion zsh >> ~/.zshrc', 'for Zsh, after compinit'],
    ['completion fish > ~/.config/fish/completions/hearth.fish', 'for fish'],
  ],
  notes: 'They complete the command hearth.',
}

/** Those whose help is printed from here. `start`, `device`, `seal` and `admin` have help of their own. */
export const OWN_COMMANDS: readonly CommandEntry[] = [status, open, logs, completion]

export const SUMMARIES: readonly (readonly [name: string, summary: string])[] = [
  ['start', 'run Hearth on this machine: the gateway, its console and a device'],
  ...OWN_COMMANDS.slice(0, 3).map(({ name, summary }) => [name, summary] as const),
  ['device', 'look after this machine as a device: models, pause, doctor'],
  ['seal', 'seal requests, so that only devices that you approved can read them'],
  ['admin', 'manage organizations, people, API keys, models and devices'],
  [completion.name, completion.summary],
]
