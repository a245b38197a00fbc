// The way from the options to a running Hearth: gateways, this machine as a device.

import { dirname } from 'node:path'
import { openStore, sharedAddress, type Store } from '@hearth/gateway'
import { claimData, rejectSecond } from './claim-data.ts'
import { checkBootstrapKey, listEnabled, makeFirstKey, makeOwnerLink, prepareHousehold } from './first-run.ts'
import { firstStartOf } from './first-start.ts'
import { commandToPrint } from '../installed/command-to-print.ts'
import { installCommand, installedPath } from '../installed/installed-command.ts'
import { startGateways, type Gateways } from './gateways.ts'
import type { Options } from './options.ts'
import type { LaunchContext } from './launch-context.ts'
import type { PanelFacts } from '../terminal/panel.ts'
import { logPath } from '../terminal/log-path.ts'
import { openListeningSockets, type ListeningSockets } from './listening-sockets.ts'
import { hasOwnDatabase } from './shared-services.ts'
import { startDevice } from './start-device.ts'
import { checkMachine, nameFullDisk } from './check-machine.ts'
import { checkModel } from './check-model.ts'
import { orderModels } from './order-models.ts'

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
