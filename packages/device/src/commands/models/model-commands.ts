// `hearth-device models …`: the models on this machine.

import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from '../context.ts'
import { HELP } from '../help-texts.ts'
import { online, untilInterrupted } from '../network.ts'
import { PRINT_JSON, settingsOf } from '../settings-of.ts'

export const MODELS: CommandEntry<Context> = {
  name: 'models',
  summary: 'list, recommend, pull, add, verify, keep and remove models',
  description: 'Manages the models on this machine. A running app picks up changes automatically.',
  ...HELP.models,
  commands: [
    {
      name: 'list',
      summary: 'list the models on this machine',
      options: [PRINT_JSON],
      ...HELP.list,
      run: async (context, { json = false }: { json?: boolean }) =>
        (await import('./list-models.ts')).listModels({ isJson: json }, context),
    },
    {
      name: 'recommend',
      summary: 'name the best model for this machine',
      options: [PRINT_JSON],
      ...HELP.recommend,
      run: online(async (context, { json = false }: { json?: boolean }) =>
        (await import('./recommend.ts')).showRecommendations({ isJson: json }, context),
      ),
    },
    pulling('pull', 'download a model and serve it'),
    pulling('add', 'serve a model file that is already on this machine'),
    {
      name: 'verify [name]',
      summary: 'read the files again and compare their checksums',
      ...HELP.verify,
      run: async (context, _: object, name?: string) =>
        (await import('./models.ts')).verify(name, context, untilInterrupted()),
    },
    {
      name: 'keep <name> <time>',
      summary: 'set how long an idle model stays in memory: a time like 2h, always or never',
      ...HELP.keep,
      run: async (context, _: object, name: string, time: string) =>
        (await import('./models.ts')).keep(name, time, context),
    },
    {
      name: 'remove <name>',
      summary: 'stop serving a model, and delete its file if the app downloaded it',
      ...HELP.remove,
      run: async (context, _: object, name: string) => (await import('./models.ts')).remove(name, context),
    },
  ],
}

function pulling(verb: 'pull' | 'add', summary: string): CommandEntry<Context> {
  return {
    name: `${verb} <source>`,
    summary,
    options: [
      ...settingsOf('models'),
      ['--as <name>', 'model name that clients use'],
      ['--slots <count>', 'requests this model handles at once'],
      ['--context <tokens>', 'max tokens per request, prompt and answer together'],
      ['--gpu-layers <count>', 'layers to keep on the GPU'],
      ['--keep-alive <time>', 'how long it stays in memory when idle: a time like 2h, always or never'],
      ['--json', 'print a line of JSON for each step'],
    ],
    ...HELP[verb],
    run: online(async (context, { as, json = false }: { as?: string; json?: boolean }, source: string) =>
      (await import('./models.ts')).pull(source, { as, isJson: json }, context, untilInterrupted()),
    ),
  }
}
