// `hearth-device gpu …`: the back end for this machine's card.

import { CommandError } from '@hearth/command-line/errors'
import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from '../context.ts'
import { HELP } from '../help-texts.ts'
import { online, untilInterrupted } from '../network.ts'
import { PRINT_JSON } from '../settings-of.ts'

export const GPU: CommandEntry<Context> = {
  name: 'gpu',
  summary: 'show the GPU, and build a back end for it',
  description: 'Shows the graphics card, the back end that models run on, and what was built here.',
  options: [PRINT_JSON],
  ...HELP.gpu,
  run: async (context, { json = false }: { json?: boolean }) =>
    (await import('./list.ts')).listGpu({ isJson: json }, context),
  commands: [
    {
      name: 'build',
      summary: "build the engine's CUDA back end for this card",
      description:
        "Builds the engine's CUDA back end for this machine's NVIDIA card, tries it, and uses it from then on.",
      options: [
        ['--yes', 'build without asking'],
        ['--jobs <count>', 'compilers at once (default: as many as the cores and the memory allow)'],
      ],
      ...HELP.gpuBuild,
      run: online(async (context, { yes = false, jobs }: { yes?: boolean; jobs?: string }) => {
        const wanted = { hasConsent: yes, ...(jobs !== undefined && { jobs: readJobs(jobs) }) }
        const interrupted = untilInterrupted('nothing is left of the build; run the command again')
        return (await import('./build.ts')).buildGpu(wanted, context, interrupted)
      }),
    },
    {
      name: 'remove',
      summary: 'delete what was built here, and use the packaged back end again',
      ...HELP.gpuRemove,
      run: async (context) => (await import('./remove.ts')).removeGpu(context),
    },
  ],
}

function readJobs(text: string): number {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 1024) return jobs
  throw new CommandError(`Invalid number of jobs "${text}"`, 'use a whole number from 1 to 1,024')
}
