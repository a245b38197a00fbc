// The Hearth that a command means: the one that is named, or else one that runs, or else the last one that did.

import { join, resolve } from 'node:path'
import { chooseOne, isRunning, listInstances, readClaim, type Instance } from '@hearth/instances'

/** npm runs its scripts in the root of the repository, wherever the person is. */
const DEFAULT_DATA = join(import.meta.dirname, '../../../../data')

export interface FoundInstance {
  instance: Instance
  isRunning: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

export function findInstance(data: string | undefined, environment: Environment): FoundInstance | undefined {
  const named = data ?? environment['HEARTH_DATA']
  const known = listInstances(environment).filter(({ kind }) => kind === 'hearth')
  const choice = chooseOne(named === undefined ? known : findNamed(resolve(named), known), isRunning)
  if (choice === undefined) return undefined
  const { chosen, others } = choice
  if (others > 0)
    console.error(`Using ${chosen.folder}, one of ${others + 1} on this machine. To choose: --data FOLDER`)
  return { instance: chosen, isRunning: choice.isRunning }
}

/** Another user may have started it, who has a list of their own. */
function findNamed(folder: string, known: readonly Instance[]): Instance[] {
  const claim = readClaim(folder)
  return claim ? [claim] : known.filter((instance) => instance.folder === folder)
}

/** The device that runs here for a gateway elsewhere. */
export function findDevice(environment: Environment): Instance | undefined {
  return listInstances(environment).find((instance) => instance.kind === 'device' && isRunning(instance))
}

/** How to start it again. */
export function startLine(instance: Instance | undefined): string {
  if (instance === undefined || instance.folder === DEFAULT_DATA) return 'npm start'
  return `npm start -- --data ${instance.folder}`
}
