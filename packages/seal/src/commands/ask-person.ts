import { CommandError } from '@hearth/command-line/errors'
import { confirm } from '@hearth/command-line/terminal/confirm'
import type { Context } from './context.ts'

/** True if the person says yes, or said so in advance. */
export async function askPerson(question: string, isYes: boolean, { world }: Context): Promise<boolean> {
  if (isYes) return true
  if (world.stdin?.isTTY !== true)
    throw new CommandError(
      'Nobody is here to answer',
      'run it in a terminal, or add --yes if you have compared already',
    )
  return confirm(question, world.stdin, world.stdout)
}
