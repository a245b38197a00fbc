// The commands that look after the running device: `status`, `logs`, `stop`, `pause`, `resume`, `unblock`, `doctor`, `settings`.

import { Option } from 'commander'
import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from './context.ts'
import { online } from './network.ts'
import { PRINT_JSON, settingsOf } from './settings-of.ts'

export const OWNER_COMMANDS: readonly CommandEntry<Context>[] = [
  {
    name: 'status',
    summary: 'show the status of the running device',
    options: [PRINT_JSON],
    examples: ['status', 'status --json'],
    after: `Exits with 3 if the app is not running; with --json, "isRunning" is then false.`,
    run: async (context, { json = false }: { json?: boolean }) =>
      (await import('./running.ts')).status({ isJson: json }, context),
  },
  {
    name: 'logs',
    summary: 'show what the app has printed lately',
    options: [
      ['--lines <count>', 'how many lines (default: 100)'],
      ['--follow', 'keep printing new lines'],
    ],
    examples: ['logs', ['logs --follow', 'new lines as they come; press Ctrl-C to stop'], 'logs --lines 500'],
    after: `Also shows the lines of an app that has ended. The app keeps at most 2 MB in its state folder, and never prompts or answers.`,
    run: async (context, { lines, follow = false }: { lines?: string; follow?: boolean }) =>
      (await import('./logs.ts')).showLogs({ lines, follows: follow }, context),
  },
  {
    name: 'stop',
    summary: 'stop the running app',
    description:
      'Stops the app as Ctrl-C in its terminal does: running jobs finish first. A service starts again at your next login.',
    examples: ['stop'],
    after: `Exits with 3 if the app is not running.`,
    run: async (context) => (await import('./stop.ts')).stop(context),
  },
  {
    name: 'pause',
    summary: 'stop serving and free the memory, until you resume',
    options: [['--now', 'return running jobs to the gateway instead of finishing them']],
    examples: [
      ['pause', 'running jobs finish first'],
      ['pause --now', 'running jobs go back to the gateway'],
      'resume',
    ],
    after: `Exits with 3 if the app is not running. A paused device stays paused when you restart the app.`,
    run: async (context, { now = false }: { now?: boolean }) =>
      (await import('./running.ts')).pause({ isNow: now }, context),
  },
  {
    name: 'resume',
    summary: 'serve again after a pause',
    examples: ['resume'],
    run: async (context) => (await import('./running.ts')).resume(context),
  },
  {
    name: 'unblock',
    summary: 'accept requests again that crashed an engine',
    examples: ['unblock'],
    after: `A request that crashed its model's engine three times is rejected for an hour, or for five minutes if memory was short.
Run hearth-device status to see how many there are and why. Exits with 3 if the app is not running.`,
    run: async (context) => (await import('./running.ts')).unblock(context),
  },
  {
    name: 'doctor',
    summary: "find out why something doesn't work",
    description: 'Checks memory, disk, GPU, engine, models, local servers, web search, login and connection.',
    options: [
      ...settingsOf('doctor'),
      ['--engine', 'only check that the engine runs on this machine'],
      new Option('--plan [machines]', 'only show what each model gets on this machine, or on many machines')
        .choices(['this', 'all'])
        .preset('this'),
      PRINT_JSON,
    ],
    examples: [
      'doctor',
      'doctor --engine',
      ['doctor --json', 'the same for a script'],
      ['doctor --plan', 'what each model gets on this machine'],
      ['doctor --plan all', 'plans for machines of every size'],
      ['doctor --upstream http://127.0.0.1:11434', 'what a local server can do'],
    ],
    after: `Exits with 1 if something doesn't work. If you need to do something, the line says what after the arrow.`,
    run: online(async (context, options: { engine?: boolean; plan?: 'this' | 'all'; json?: boolean }) => {
      const { engine = false, plan, json = false } = options
      const { doctor } = await import('./doctor/doctor.ts')
      return doctor({ isOnlyEngine: engine, isJson: json, ...(plan && { plan }) }, context)
    }),
  },
  {
    name: 'settings',
    summary: 'show every setting, its value and its source',
    options: [PRINT_JSON],
    examples: [
      'settings',
      'settings --json',
      'HEARTH_DEVICE_SLOTS=2 hearth-device settings',
      '--config ./settings.toml settings',
    ],
    run: async (context, { json = false }: { json?: boolean }) =>
      (await import('./show-settings.ts')).showSettings({ isJson: json }, context),
  },
]
