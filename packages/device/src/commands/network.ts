// Sets up the network before a command uses it: the machine's proxies and certificates.

import { CommandError } from '@hearth/command-line/errors'
import { prepareNetwork as prepare } from '@hearth/command-line/gateway/prepare-network'
import type { Context } from './context.ts'

export function prepareNetwork({ world }: Context): void {
  prepare(world.environment)
}

/** Aborted by Ctrl-C or the end of the terminal, so that work stops cleanly; a second Ctrl-C ends the process. */
export function untilInterrupted(advice = 'run the command again to continue where it stopped'): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new CommandError('Interrupted', advice)))
  return interrupted.signal
}
