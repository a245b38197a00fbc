// The way from the options to a running Hearth: console, gateways, this machine as a device.

import { openStore, sharedAddress, type Store } from '@hearth/gateway'
import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { buildConsole, isConsoleBuilt } from './build-console.ts'
import { checkPort } from './check-port.ts'
import { makeOwnerLink, prepareHousehold } from './first-run.ts'
import { startGateways, type Gateways } from './gateways.ts'
import type { LaunchContext } from './launch-context.ts'
import { UsageError, type Options } from './options.ts'
import type { PanelFacts } from './panel.ts'
import { startDevice } from './start-device.ts'

export async function launch(options: Options, context: LaunchContext): Promise<PanelFacts> {
  await checkPort(options.port)
  makeFolder(options.data)
  await prepareConsole(context)
  const gateways = await startGateways(options, context)
  const facts = await settleIn(gateways, options, context)
  return {
    ...facts,
    baseUrl: `${gateways.url}/openai/v1`,
    networkUrl: networkUrlOf(gateways),
    dataFolder: options.data,
    memoryBytes: totalmem(),
    gateways: gateways.pids(),
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`Cannot use the data folder ${folder}: ${why}. Choose another one with --data`)
  }
}

async function prepareConsole({ screen }: LaunchContext): Promise<void> {
  if (isConsoleBuilt()) return
  screen.step('console: building (only on first start and after changes)')
  await buildConsole()
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
  const household = await prepareHousehold(store, options.bootstrapKey)
  const ownerPath = await makeOwnerLink(store, household)
  const models = options.withDevice ? await startDevice({ gateways, store, household, options }, context) : []
  return {
    newKey: household.newKey,
    consoleUrl: gateways.url + (ownerPath ?? '/'),
    isOwnerLink: ownerPath !== undefined,
    models,
  }
}

function networkUrlOf({ url }: Gateways): string | undefined {
  const { PUBLIC_URL: publicUrl, HOST: host = '127.0.0.1' } = process.env
  const shared = publicUrl || sharedAddress(url, { host, client: '127.0.0.1' })
  return shared === url ? undefined : `${shared}/openai/v1`
}
