import { describeOthers, type Instance } from '@hearth/instances'
import { startLine } from './find-instance.ts'

/** Differs from 1, so that scripts can tell it from an error. */
export const NOT_RUNNING = 3

/** What to say if none runs that the person may manage. */
export function describeRest(stopped: Instance | undefined): string {
  const where = stopped ? ` Its data is in ${stopped.folder}.` : ''
  const others = describeOthers()
  if (others !== undefined && stopped === undefined)
    return `${others}, or start your own: hearth start --data <folder> --port <port>`
  const rest = others === undefined ? '' : `\n${others}.`
  return `Hearth is not running.${where} To start it: ${startLine(stopped)}${rest}`
}
