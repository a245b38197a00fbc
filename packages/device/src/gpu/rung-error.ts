// A rung that can't even be tried on this machine, with the remedy as its advice.

import { CommandError } from '@hearth/command-line/errors'
import type { Problem, Rung } from './backend.ts'

export class RungError extends CommandError {
  override name = 'RungError'
  readonly isPassing: boolean

  /** A passing problem, such as a network that is down, is not remembered. */
  constructor(message: string, advice: string, { isPassing = false }: { isPassing?: boolean } = {}) {
    super(message, advice)
    this.isPassing = isPassing
  }
}

export function problemOf(rung: Rung, error: unknown): Problem {
  if (!(error instanceof RungError)) throw error
  return { rung, why: error.message, remedy: error.advice ?? '', isPassing: error.isPassing }
}
