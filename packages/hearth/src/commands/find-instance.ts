// The Hearth that a command means: the one that is named, or else the one that the person is at, or else one that runs, or the last that did.

import { join, resolve } from 'node:path'
import {
  chooseOne,
  findCheckout,
  isRunning,
  listInstances,
  readOwnClaim,
  readTrustedClaim,
  type Environment,
  type Instance,
  type Candidate,
} from '@hearth/instances'
import { quoteIfNeeded } from '@hearth/command-line/terminal/quote'
import { commandIn, OWN_PROGRAM } from '../installed/installed-command.ts'
import { UsageError } from '../start/options.ts'

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
  const named = namedFolder(data, environment)
  const known = listInstances(environment).filter(hasGateway)
  const here = process.cwd()
  const checkout = findCheckout(here)
  const choice = chooseOne(
    (named === undefined
      ? addHere(known, [here, ...(checkout === undefined ? [] : [checkout])])
      : findNamed(named, known)
    ).map(toCandidate),
    {
      here,
      checkout,
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

export function namedFolder(data: string | undefined, environment: Environment): string | undefined {
  const named = data ?? environment['HEARTH_DATA']
  return named === undefined ? undefined : resolve(named)
}

function toCandidate(instance: Instance): Candidate & { instance: Instance } {
  const { folder } = instance
  return { instance, folder, isRunning: isRunning(instance), option: `--data ${quoteIfNeeded(folder)}` }
}

/** Another user may have started it, who has a list of their own. */
function findNamed(folder: string, known: readonly Instance[]): Instance[] {
  const claim = readTrustedClaim(folder)
  if (claim !== undefined && hasGateway(claim)) return [claim]
  return known.filter((instance) => instance.folder === folder || instance.folder === join(folder, 'gateway'))
}

function hasGateway({ kind }: Instance): boolean {
  return kind !== 'device'
}

/** One that runs where the person is counts even if it isn't on their list, but only if no other account can have put it there. */
function addHere(known: readonly Instance[], here: readonly string[]): Instance[] {
  const folders = new Set(here.flatMap((folder) => [folder, join(folder, 'data')]))
  const claims = [...folders].flatMap((folder) => readOwnClaim(folder) ?? []).filter(hasGateway)
  return [...claims.filter(({ folder }) => !known.some((instance) => instance.folder === folder)), ...known]
}

/** The device that runs here for a gateway elsewhere. */
export function findDevice(environment: Environment): Instance | undefined {
  return listInstances(environment).find((instance) => instance.kind === 'device' && isRunning(instance))
}

/** How to start it again, with the program that ran it: another may be older than its data. */
export function startLine({
  folder,
  program = OWN_PROGRAM,
  unit,
}: Pick<Instance, 'folder' | 'program' | 'unit'>): string {
  if (unit !== undefined) return `systemctl start ${unit}`
  const start = program === OWN_PROGRAM ? 'hearth start' : `${quoteIfNeeded(commandIn(program))} start`
  return folder === join(program, 'data') ? start : `${start} --data ${quoteIfNeeded(folder)}`
}
