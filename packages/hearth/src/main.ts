// npm start: runs Hearth on this machine as it runs anywhere else, in processes: the gateway with its console, and a device.

import { describeLive } from '@hearth/device'
import { openStore, sharedAddress, type Store } from '@hearth/gateway'
import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildConsole, isConsoleBuilt } from './build-console.ts'
import { checkPort } from './check-port.ts'
import { openDeviceFolder, type DeviceFolder } from './device-part.ts'
import { enableNewModels, makeEnrolment, makeOwnerLink, prepareHousehold, type Household } from './first-run.ts'
import { startGateways, type Gateways } from './gateways.ts'
import { HELP, readOptions, UsageError, type Options } from './options.ts'
import { renderPanel } from './panel.ts'
import type { Part } from './part.ts'
import { Screen } from './screen.ts'
import { waitUntilReady } from './wait-until-ready.ts'

const LOOK_MS = 250
const SAME_SIGNAL_MS = 1_000
const OLDEST_NODE = 24

const screen = new Screen(process.stdout)
const parts: Part[] = []
let isStopping = false
let toldAt = Number.NEGATIVE_INFINITY

process.on('SIGINT', interrupt)
process.on('SIGTERM', () => void stop(0))
process.on('SIGHUP', hangUp)
// A terminal that was closed takes no more text, and that must not keep us from stopping the parts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
// The parts run in process groups of their own, so they don't end with us by themselves.
process.on('exit', () => parts.forEach((part) => part.kill()))
await main().catch((error: unknown) => {
  if (isStopping) return undefined
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  return stop(error instanceof UsageError ? 2 : 1)
})

async function main(): Promise<void> {
  refuseOldNode()
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') return screen.print(HELP)
  screen.print('\n  Starting Hearth')
  await checkPort(options.port)
  makeFolder(options.data)
  await prepareConsole()
  const gateways = await startGateways(options, {
    onStep: (text) => screen.step(text),
    onStart: (part) => parts.push(part),
  })
  const store = await openStore(gateways.databaseUrl)
  const facts = await settleIn(gateways, store, options)
  await store.close()
  const machine = { networkUrl: networkUrlOf(gateways), dataFolder: options.data, memoryBytes: totalmem() }
  screen.print(
    renderPanel({
      baseUrl: `${gateways.url}/openai/v1`,
      ...machine,
      ...facts,
      gateways: gateways.parts.map(({ pid }) => pid!),
    }),
  )
  await watch(gateways)
}

function networkUrlOf({ url }: Gateways): string | undefined {
  const { PUBLIC_URL: publicUrl, HOST: host = '127.0.0.1' } = process.env
  const shared = publicUrl || sharedAddress(url, { host, client: '127.0.0.1' })
  return shared === url ? undefined : `${shared}/openai/v1`
}

async function settleIn(gateways: Gateways, store: Store, options: Options) {
  const household = await prepareHousehold(store, options.bootstrapKey)
  const ownerPath = await makeOwnerLink(store, household)
  const models = options.withDevice ? await startDevice(gateways, store, household, options) : []
  return {
    newKey: household.newKey,
    consoleUrl: gateways.url + (ownerPath ?? '/'),
    isOwnerLink: ownerPath !== undefined,
    models,
  }
}

async function startDevice(
  gateways: Gateways,
  store: Store,
  household: Household,
  { data, model }: Options,
): Promise<string[]> {
  const folder = openDeviceFolder(data)
  await enrol(folder, gateways, store, household)
  if (model !== 'starter') await folder.addModel(model, (line) => screen.step(`device: ${line}`))
  const device = folder.start((line) => screen.step(`device: ${line}`))
  parts.push(device)
  const models = await waitUntilServing(folder, device)
  await enableNewModels(store, household.organization, models)
  await waitUntilReady(gateways)
  return models
}

/** If this machine was removed in the console, it is added again: `npm start` is about this machine. */
async function enrol(
  folder: DeviceFolder,
  gateways: Gateways,
  store: Store,
  { organization }: Household,
): Promise<void> {
  const known = folder.device()
  const isMember = (await store.listDevices(organization)).some(({ id }) => id === known)
  if (isMember) return folder.pointAt(gateways.url)
  screen.step('device: adding this machine')
  await folder.login(gateways.url, await makeEnrolment(store, organization))
}

async function waitUntilServing(folder: DeviceFolder, device: Part): Promise<string[]> {
  while (device.isRunning) {
    const status = folder.status()
    const serving = status?.models.filter(({ state }) => state === 'serving') ?? []
    if (status?.link.name === 'linked' && serving.length > 0) return serving.map(({ name }) => name)
    if (status) screen.move(`device: ${describeLive(status)}`)
    await sleep(LOOK_MS)
  }
  throw new Error(`Cannot start the device:\n${device.lastLines()}`)
}

/** Ends with an error when a part stops unexpectedly, unless others do its work meanwhile. */
async function watch(gateways: Gateways): Promise<void> {
  for (;;) {
    const ended = await Promise.race(parts.map((part) => part.ended.then(() => part)))
    if (isStopping) return
    if (gateways.parts.length === 1 || !gateways.parts.includes(ended))
      throw new Error(`The ${ended.name} stopped:\n${ended.lastLines()}`)
    screen.step(`${ended.name} stopped; starting it again`)
    const next = await gateways.replace(ended)
    parts[parts.indexOf(ended)] = next
    screen.step(`${next.name} is back (process ID ${next.pid})`)
  }
}

async function prepareConsole(): Promise<void> {
  if (isConsoleBuilt()) return
  screen.step('console: building (only on first start and after changes)')
  await buildConsole()
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`Cannot use the data folder ${folder}: ${why}. Choose another one with --data`)
  }
}

function refuseOldNode(): void {
  if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE)
    throw new UsageError(
      `Hearth needs Node ${OLDEST_NODE} or later, and this is Node ${process.versions.node}. Run "npm ci", which installs one, and then "npm start"`,
    )
}

/** npm forwards a Ctrl-C that the terminal has already sent us: both are the same key press. */
function interrupt(): void {
  const now = performance.now()
  if (now - toldAt < SAME_SIGNAL_MS) return
  toldAt = now
  void stop(0)
}

/** The terminal was closed. The signal may come more than once. */
function hangUp(): void {
  if (!isStopping) void stop(0)
}

/** Stops the device first, so that it can finish its jobs through the gateway. */
async function stop(code: number): Promise<void> {
  if (isStopping) return process.exit(1)
  isStopping = true
  if (parts.length > 0) screen.step('Stopping… Press Ctrl-C again to stop immediately')
  for (const part of parts.toReversed()) await part.stop()
  process.exit(code)
}
