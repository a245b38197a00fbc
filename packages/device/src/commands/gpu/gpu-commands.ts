// `hearth-device gpu …`: the back end for this machine's card.

import type { Command } from 'commander'
import { CommandError } from '@hearth/command-line/errors'
import type { Run } from '../context.ts'
import { HELP_AFTER } from '../help-texts.ts'
import { prepareNetwork, untilInterrupted } from '../network.ts'

export function addGpuCommands(program: Command, run: Run): void {
  const gpu = program
    .command('gpu')
    .summary('show the GPU, and build a back end for it')
    .description('Shows the graphics card, the back end that models run on, and what was built here.')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP_AFTER.gpu)
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./list.ts')).listGpu({ isJson: options.json === true }, context)),
    )
  addBuild(gpu, run)
  addRemove(gpu, run)
}

function addBuild(gpu: Command, run: Run): void {
  gpu
    .command('build')
    .summary("build the engine's CUDA back end for this card")
    .description(
      "Builds the engine's CUDA back end for this machine's NVIDIA card, tries it, and uses it from then on.",
    )
    .option('--yes', 'build without asking')
    .option('--jobs <count>', 'compilers at once (default: as many as the cores and the memory allow)')
    .addHelpText('after', HELP_AFTER.gpuBuild)
    .action((options: { yes?: boolean; jobs?: string }, command: Command) =>
      run(command, async (context) => {
        const { buildGpu } = await import('./build.ts')
        prepareNetwork(context)
        const jobs = options.jobs === undefined ? {} : { jobs: readJobs(options.jobs) }
        await buildGpu(
          { hasConsent: options.yes === true, ...jobs },
          context,
          untilInterrupted('nothing is left of the build; run the command again'),
        )
      }),
    )
}

function addRemove(gpu: Command, run: Run): void {
  gpu
    .command('remove')
    .description('delete what was built here, and use the packaged back end again')
    .addHelpText('after', HELP_AFTER.gpuRemove)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./remove.ts')).removeGpu(context)),
    )
}

function readJobs(text: string): number {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 1024) return jobs
  throw new CommandError(`Invalid number of jobs "${text}"`, 'use a whole number from 1 to 1,024')
}
