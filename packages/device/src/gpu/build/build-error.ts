// A build that failed, with the last lines of its tools.

import { CommandError } from '@hearth/command-line/errors'

export class BuildError extends CommandError {
  override name = 'BuildError'
  readonly lines: readonly string[]

  constructor(step: string, lines: readonly string[]) {
    super(`Can't build the back end: ${step} failed`, remedyFor(lines.join('\n')))
    this.lines = lines
  }
}

/** Compilers and build tools have no error codes, only lines that they print. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/i, 'free up disk space, then run the command again'],
  [/Killed|out of memory|Cannot allocate memory/i, 'memory was short: close other apps, or use fewer --jobs'],
  [
    /unsupported (GNU|clang) version/i,
    'this CUDA toolkit is older than the C++ compiler: install an older one, and name it in CUDAHOSTCXX',
  ],
  [/Unsupported gpu architecture/i, 'this CUDA toolkit is older than the card: install a newer one'],
]

function remedyFor(output: string): string {
  const known = REMEDIES.find(([matches]) => matches.test(output))
  return known?.[1] ?? 'the lines above say why; models keep running on the packaged back end'
}
