import { quoteIfNeeded } from '@hearth/command-line/terminal/quote'
import { describeOthers, type Instance } from '@hearth/instances'
import { namedFolder, startLine } from './find-instance.ts'

/** Differs from 1, so that scripts can tell it from an error. */
export const NOT_RUNNING = 3

/** What to say if none runs that the person may manage. `data` is what they wrote. */
export function describeRest(stopped: Instance | undefined, data: string | undefined): string {
  const named = namedFolder(data, process.env)
  if (stopped === undefined && named !== undefined)
    return `No Hearth in ${named}. To start one there: hearth start --data ${quoteIfNeeded(named)}`
  const where = stopped ? ` Its data is in ${stopped.folder}.` : ''
  const others = describeOthers()
  if (others !== undefined && stopped === undefined)
    return `${others}, or start your own: hearth start --data <folder> --port <port>`
  const rest = others === undefined ? '' : `\n${others}.`
  return `Hearth is not running.${where} To start it: ${stopped === undefined ? 'hearth start' : startLine(stopped)}${rest}`
}
