// The Hearth that a command means: the one that is named, or else the one that the person is at, or else one that runs, or the last that did.

import { join, resolve } from 'node:path'
import {
  chooseOne,
  isRunning,
  listInstances,
  readOwnClaim,
  readTrustedClaim,
  type Environment,
  type Instance,
  type Place,
} from '@hearth/instances'
import { quoteIfNeeded } from '@hearth/command-line/terminal/quote'
import { DEFAULT_DATA, UsageError } from '../start/options.ts'

export interface FoundInstance {
  instance: Instance
  isRunning: boolean
}

export interface InstanceQuestion {
  data: string | undefined
  environment: Environment
  /** Then it has to be clear which one is meant. */
  isChange?: boolean
}

export function findInstance({ data, environment, isChange = false }: InstanceQuestion): FoundInstance | undefined {
  const named = data ?? environment['HEARTH_DATA']
  const known = listInstances(environment).filter(({ kind }) => kind === 'hearth')
  const here = process.cwd()
  const choice = chooseOne(
    (named === undefined ? addHere(known, here) : findNamed(resolve(named), known)).map(toPlace),
    {
      here,
      isChange,
      reject: (text) => {
        throw new UsageError(text)
      },
    },
  )
  if (choice === undefined) return undefined
  if (choice.note !== undefined) console.error(choice.note)
  return { instance: choice.chosen.instance, isRunning: choice.chosen.isRunning }
}

function toPlace(instance: Instance): Place & { instance: Instance } {
  const { folder } = instance
  return { instance, folder, isRunning: isRunning(instance), option: `--data ${quoteIfNeeded(folder)}` }
}

/** Another user may have started it, who has a list of their own. */
function findNamed(folder: string, known: readonly Instance[]): Instance[] {
  const claim = readTrustedClaim(folder)
  return claim?.kind === 'hearth' ? [claim] : known.filter((instance) => instance.folder === folder)
}

/** One that runs where the person is counts even if it isn't on their list, but only if no other account can have put it there. */
function addHere(known: readonly Instance[], here: string): Instance[] {
  const claims = [here, join(here, 'data')].flatMap((folder) => readOwnClaim(folder) ?? [])
  const hearths = claims.filter(({ kind }) => kind === 'hearth')
  return [...hearths.filter(({ folder }) => !known.some((instance) => instance.folder === folder)), ...known]
}

/** The device that runs here for a gateway elsewhere. */
export function findDevice(environment: Environment): Instance | undefined {
  return listInstances(environment).find((instance) => instance.kind === 'device' && isRunning(instance))
}

/** How to start it again. */
export function startLine(instance: Instance | undefined): string {
  if (instance === undefined || instance.folder === DEFAULT_DATA) return 'hearth start'
  return `hearth start --data ${quoteIfNeeded(instance.folder)}`
}
