// `hearth-device models …`: the models on this machine.

import type { Command } from 'commander'
import type { Run } from '../context.ts'
import { HELP_AFTER } from '../help-texts.ts'
import { prepareNetwork, untilInterrupted } from '../network.ts'
import { withSettings } from '../with-settings.ts'

export function addModelCommands(program: Command, run: Run): void {
  const models = program
    .command('models')
    .summary('list, recommend, pull, add, verify, keep and remove models')
    .description('Manages the models on this machine. A running app picks up changes automatically.')
    .addHelpText('after', HELP_AFTER.models)
  addList(models, run)
  addRecommend(models, run)
  addPull(models, run, 'pull', 'download a model and serve it')
  addPull(models, run, 'add', 'serve a model file that is already on this machine')
  addVerify(models, run)
  addKeep(models, run)
  addRemove(models, run)
}

function addList(models: Command, run: Run): void {
  models
    .command('list')
    .description('list the models on this machine')
    .addHelpText('after', HELP_AFTER.list)
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./list-models.ts')).listModels({ isJson: options.json === true }, context),
      ),
    )
}

function addRecommend(models: Command, run: Run): void {
  models
    .command('recommend')
    .description('name the best model for this machine')
    .addHelpText('after', HELP_AFTER.recommend)
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { showRecommendations } = await import('./recommend.ts')
        prepareNetwork(context)
        return showRecommendations({ isJson: options.json === true }, context)
      }),
    )
}

function addPull(models: Command, run: Run, verb: 'pull' | 'add', description: string): void {
  withSettings(models.command(`${verb} <source>`), 'models')
    .description(description)
    .option('--as <name>', 'model name that clients use')
    .option('--slots <count>', 'requests this model handles at once')
    .option('--context <tokens>', 'max tokens per request, prompt and answer together')
    .option('--gpu-layers <count>', 'layers to keep on the GPU')
    .option('--keep-alive <time>', 'how long it stays in memory when idle: a time like 2h, always or never')
    .option('--json', 'print a line of JSON for each step')
    .addHelpText('after', HELP_AFTER[verb])
    .action((source: string, options: { as?: string; json?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { pull } = await import('./models.ts')
        prepareNetwork(context)
        await pull(source, { as: options.as, isJson: options.json === true }, context, untilInterrupted())
      }),
    )
}

function addVerify(models: Command, run: Run): void {
  models
    .command('verify [name]')
    .description('read the files again and compare their checksums')
    .addHelpText('after', HELP_AFTER.verify)
    .action((name: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).verify(name, context, untilInterrupted())),
    )
}

function addKeep(models: Command, run: Run): void {
  models
    .command('keep <name> <time>')
    .description('set how long an idle model stays in memory: a time like 2h, always or never')
    .addHelpText('after', HELP_AFTER.keep)
    .action((name: string, time: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).keep(name, time, context)),
    )
}

function addRemove(models: Command, run: Run): void {
  models
    .command('remove <name>')
    .description('stop serving a model, and delete its file if the app downloaded it')
    .addHelpText('after', HELP_AFTER.remove)
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).remove(name, context)),
    )
}
