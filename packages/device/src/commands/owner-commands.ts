// The commands that look after the running device: `status`, `logs`, `pause`, `resume`, `unblock`, `doctor`, `settings`.

import { Option } from 'commander'
import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from './context.ts'
import { HELP } from './help-texts.ts'
import { online } from './network.ts'
import { PRINT_JSON, settingsOf } from './settings-of.ts'

export const OWNER_COMMANDS: readonly CommandEntry<Context>[] = [
  {
    name: 'status',
    summary: 'show the status of the running device',
    options: [PRINT_JSON],
    ...HELP.status,
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
    ...HELP.logs,
    run: async (context, { lines, follow = false }: { lines?: string; follow?: boolean }) =>
      (await import('./logs.ts')).showLogs({ lines, follows: follow }, context),
  },
  {
    name: 'pause',
    summary: 'stop serving and free the memory, until you resume',
    options: [['--now', 'return running jobs to the gateway instead of finishing them']],
    ...HELP.pause,
    run: async (context, { now = false }: { now?: boolean }) =>
      (await import('./running.ts')).pause({ isNow: now }, context),
  },
  {
    name: 'resume',
    summary: 'serve again after a pause',
    ...HELP.resume,
    run: async (context) => (await import('./running.ts')).resume(context),
  },
  {
    name: 'unblock',
    summary: 'accept requests again that crashed an engine',
    ...HELP.unblock,
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
    ...HELP.doctor,
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
    ...HELP.settings,
    run: async (context, { json = false }: { json?: boolean }) =>
      (await import('./show-settings.ts')).showSettings({ isJson: json }, context),
  },
]
