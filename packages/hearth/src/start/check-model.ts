// Checks the model before anything is created: a mistyped name is a common mistake, and quick to find.

import { CommandError, parseSource } from '@hearth/device'
import { nearNames } from '@hearth/model-list'
import { UsageError } from './options.ts'

/** Whether a repository or an address has the model, only the download finds out. */
export function checkModel(source: string): void {
  try {
    parseSource(source)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const near = nearNames(source)
    const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''
    throw new UsageError(`${error.message}. ${meant}Name one with --model, ${error.advice ?? 'as --help says'}`)
  }
}
