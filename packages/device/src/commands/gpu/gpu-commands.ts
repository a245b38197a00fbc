// `hearth-device gpu …`: the back end for this machine's card.

import { CommandError } from '@hearth/command-line/errors'
import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from '../context.ts'
import { online, untilInterrupted } from '../network.ts'
import { PRINT_JSON } from '../settings-of.ts'

export const GPU: CommandEntry<Context> = {
  name: 'gpu',
  summary: 'show the GPU, and build a back end for it',
  description: 'Shows the graphics card, the back end that models run on, and what was built here.',
  options: [PRINT_JSON],
  examples: ['gpu', 'gpu --json', 'gpu build', 'gpu remove'],
  after: `The app comes with back ends for all cards, but with machine code for a few of them only. On the others, the driver
compiles it, which makes the first requests wait, or can't. hearth-device doctor says if that is so here.`,
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
      examples: [
        'gpu build',
        'gpu build --yes',
        ['gpu build --jobs 4', 'for a machine with little memory'],
        ['CUDACXX=/usr/local/cuda-12.9/bin/nvcc hearth-device gpu build', 'with the toolkit you name'],
      ],
      after: `It takes about four minutes on 16 cores, and needs no network: the sources came with the app. You need:
  the CUDA toolkit 12 or 13, with nvcc and cuBLAS
  CMake 3.19 or newer, Ninja or make, a C++ compiler, and git
If something is missing, it says what, and which command installs it.

It shows what it will do and asks first. Ctrl-C ends it and leaves nothing behind; then run it again. The result is used
only if it computes correctly; otherwise models run on the packaged back ends as before. After an update of the app with a
new engine, build again: until then, the packaged ones are used.`,
      run: online(async (context, { yes = false, jobs }: { yes?: boolean; jobs?: string }) => {
        const wanted = { hasConsent: yes, ...(jobs !== undefined && { jobs: readJobs(jobs) }) }
        const interrupted = untilInterrupted('nothing is left of the build; run the command again')
        return (await import('./build.ts')).buildGpu(wanted, context, interrupted)
      }),
    },
    {
      name: 'remove',
      summary: 'delete what was built here, and use the packaged back end again',
      examples: ['gpu remove'],
      after: `If the app runs and uses it, stop the app first.`,
      run: async (context) => (await import('./remove.ts')).removeGpu(context),
    },
  ],
}

function readJobs(text: string): number {
  const jobs = Number(text)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 1024) return jobs
  throw new CommandError(`Invalid number of jobs "${text}"`, 'use a whole number from 1 to 1,024')
}
