// What commands need that use the network or take long.

import { CommandError } from '@hearth/command-line/errors'
import { prepareNetwork } from '@hearth/command-line/gateway/prepare-network'
import { untilStopped } from '@hearth/command-line/processes/stop-signals'
import type { Exit } from '@hearth/command-line/program/commands'
import type { Context } from './context.ts'

/** A command with the machine's proxies and certificates. */
export function online<Options extends object, Words extends unknown[]>(
  run: (context: Context, options: Options, ...words: Words) => Exit,
): typeof run {
  return (context, options, ...words) => {
    prepareNetwork(context.world.environment)
    return run(context, options, ...words)
  }
}

/** So that work stops cleanly. */
export function untilInterrupted(advice = 'run the command again to continue where it stopped'): AbortSignal {
  return untilStopped(new CommandError('Interrupted', advice))
}
