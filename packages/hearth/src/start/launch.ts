// The way from the options to a running Hearth: gateways, this machine as a device.

import { dirname, join } from 'node:path'
import { openStore, sharedAddress, type Store } from '@hearth/gateway'
import { claimData, rejectSecond } from './claim-data.ts'
import { checkBootstrapKey, listEnabled, makeFirstKey, makeOwnerLink, prepareHousehold } from './first-run.ts'
import { firstStartOf } from './first-start.ts'
import { commandToPrint } from '../installed/command-to-print.ts'
import { installCommand, installedPath } from '../installed/installed-command.ts'
import { startGateways, type Gateways } from './gateways.ts'
import { type Options, UsageError } from './options.ts'
import type { LaunchContext } from './launch-context.ts'
import type { PanelFacts } from '../terminal/panel.ts'
import { logPath } from '../terminal/log-path.ts'
import { openListeningSockets, type ListeningSockets } from './listening-sockets.ts'
import { hasOwnDatabase } from './shared-services.ts'
import { startDevice } from './start-device.ts'
import { isTrialModel } from './trial-models.ts'
import { CommandError, parseSource, stateFolder } from '@hearth/device'
import { nearNames } from '@hearth/model-list'
import { existsSync } from 'node:fs'
import { findFolderStops, FOLDERS_HERE } from '@hearth/command-line/machine/folders'
import { findStops, sentenceOf, type Needs } from '@hearth/command-line/machine/find-stops'
import {
  DATABASE_ROOM,
  DEVICE_MEMORY,
  GATEWAY_MEMORY,
  LEAST_ROOM,
  STARTER_ROOM,
} from '@hearth/command-line/machine/room'

export interface Launched extends PanelFacts {
  organization: string
  databaseUrl: string
  /** Call this when the panel was printed. */
  onShown: () => void
}

export async function launch(options: Options, context: LaunchContext): Promise<Launched> {
  const sockets = await checkOptions(options)
  try {
    return await launchAll(options, sockets, context)
  } catch (error) {
    throw nameFullDisk(error, options)
  }
}

async function launchAll(options: Options, sockets: ListeningSockets, context: LaunchContext): Promise<Launched> {
  claimData(options, process.env, (text) => context.screen.step(text))
  context.log.open(logPath(options.data))
  const command = prepareCommand(options)
  const gateways = await startGateways(options, sockets, context)
  const facts = await settleIn(gateways, options, context)
  return {
    ...facts,
    baseUrl: `${gateways.url}/openai/v1`,
    networkUrl: networkUrlOf(gateways),
    dataFolder: options.data,
    ...command,
    databaseUrl: gateways.databaseUrl,
    gateways: gateways.pids(),
    onShown: () => firstStartOf(options.data).finish(),
  }
}

/** Everything that can be wrong before anything is created. */
async function checkOptions(options: Options): Promise<ListeningSockets> {
  if (options.withDevice) checkModel(options.model)
  checkBootstrapKey(options.bootstrapKey)
  rejectSecond(options)
  checkMachine(options, hasOwnDatabase(process.env))
  return await openListeningSockets(options.port, process.env['HOST'] || undefined)
}

/** The command for other terminals. */
function prepareCommand({ withCommand }: Options): Pick<PanelFacts, 'command' | 'commandNote'> {
  const { env } = process
  const problem = withCommand ? installCommand(env) : undefined
  const command = commandToPrint(env)
  if (!withCommand || problem !== undefined) return { command, commandNote: problem }
  const advice = 'to type only hearth, add its folder to your PATH'
  return { command, commandNote: command === 'hearth' ? `installed in ${dirname(installedPath(env))}` : advice }
}

async function settleIn(gateways: Gateways, options: Options, context: LaunchContext) {
  const store = await openStore(gateways.databaseUrl)
  try {
    const facts = await prepareStore(gateways, store, options, context)
    // The key is about to be shown: it has to work at every gateway by then.
    await store.changesAreKnown()
    return facts
  } finally {
    await store.close()
  }
}

async function prepareStore(gateways: Gateways, store: Store, options: Options, context: LaunchContext) {
  const firstStart = firstStartOf(options.data)
  const household = await prepareHousehold(store, firstStart)
  const ownerPath = await makeOwnerLink(store, household)
  const own = options.withDevice ? await startDevice({ gateways, store, household, options }, context) : []
  const models = orderModels(own, await listEnabled(store, household.organization))
  const newKey = firstStart.isUnfinished() ? await makeFirstKey(store, household, options.bootstrapKey) : undefined
  return {
    newKey,
    consoleUrl: gateways.url + (ownerPath ?? '/'),
    isOwnerLink: ownerPath !== undefined,
    models,
    organization: household.organization,
  }
}

function networkUrlOf({ url }: Gateways): string | undefined {
  const { PUBLIC_URL: publicUrl, HOST: host = '127.0.0.1' } = process.env
  const shared = publicUrl || sharedAddress(url, { host, client: '127.0.0.1' })
  return shared === url ? undefined : `${shared}/openai/v1`
}

// The order in which people see the models: the first one is the one that examples use.
/** Only models that are enabled: first those of this machine, then those of others; trial models are the last of each. */
export function orderModels(own: readonly string[], enabled: readonly string[]): string[] {
  const rank = (name: string): number => (own.includes(name) ? 0 : 2) + (isTrialModel(name) ? 1 : 0)
  return enabled.toSorted((one, other) => rank(one) - rank(other))
}

// Checks the model before anything is created: a mistyped name is a common mistake, and quick to find.
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

// Looks whether this machine can run Hearth, before anything is made.
export function checkMachine(options: Options, hasDatabase: boolean): void {
  const [stop] = findStops(needsOf(options, hasDatabase))
  if (stop !== undefined) throw new UsageError(`Cannot start Hearth: ${sentenceOf(stop)}`)
}

/** For a start that failed although the disk had room before: whatever failed says only what it could not do. */
export function nameFullDisk(error: unknown, { data }: Pick<Options, 'data'>, folders = FOLDERS_HERE): unknown {
  const [full] = findFolderStops([{ path: data, bytes: LEAST_ROOM, option: '--data' }], folders)
  if (full === undefined || !(error instanceof Error)) return error
  return new Error(`${error.message}\n\n${sentenceOf(full)}`, { cause: error })
}

function needsOf({ data, model, withDevice }: Options, hasDatabase: boolean): Needs {
  const [database, device] = [join(data, 'gateway'), join(data, 'device')]
  const getsStarter = model === 'starter' && !existsSync(stateFolder(device).registry)
  const folder = (path: string, bytes: number) => ({ path, bytes, option: '--data' })
  return {
    parts: { runsModels: withDevice, hasDatabase },
    folders: [
      folder(data, 0),
      ...(hasDatabase ? [folder(database, existsSync(database) ? 0 : DATABASE_ROOM)] : []),
      ...(withDevice ? [folder(device, getsStarter ? STARTER_ROOM : 0)] : []),
    ],
    memoryBytes: GATEWAY_MEMORY + (withDevice ? DEVICE_MEMORY : 0),
  }
}
