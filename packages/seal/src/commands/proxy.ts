// Runs the proxy until somebody stops it.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { CommandError } from '@hearth/command-line/errors'
import { plural } from '@hearth/command-line/format'
import { prepareNetwork } from '@hearth/command-line/gateway/prepare-network'
import { listenForStop } from '@hearth/command-line/processes/stop-signals'
import { createLogScreen, type Screen } from '@hearth/command-line/terminal/screen'
import { fingerprintOf, readSealText } from '@hearth/sealing'
import { createProxy } from '../proxy/proxy-server.ts'
import { SealCache } from '../proxy/seal-cache.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { checkTrust } from '@hearth/command-line/trust/check-trust'
import type { Context } from './context.ts'
import { openSeal, type OpenSeal } from './open-seal.ts'
import { openProxyToken } from '../proxy/proxy-token.ts'

export interface ProxyCommandOptions {
  port?: string
  affinity: boolean
}

const DEFAULT_PORT = 8282
/** The same problem is told again after this time. */
const REPEAT_MS = 60_000
const MAX_PROBLEMS = 100
/** For replies that are under way when it is stopped. */
const FINISH_MS = 10_000

export async function runProxy({ port, affinity }: ProxyCommandOptions, context: Context): Promise<void> {
  const { texts, folder, world } = context
  const settings = readSettings(texts)
  const { gateway, apiKey, seal } = settings
  const screen = createLogScreen(world.stdout, () => new Date())
  // First: with a wrong seal or key, there is nothing to start.
  const open = apiKey === undefined ? undefined : await openSeal(context)
  if (open === undefined) prepareNetwork(world.environment)
  const cache = new SealCache({ gateway, check: (information) => checkTrust(information, seal, folder.seen) })
  const onProblem = tellOnce((text) => screen.line('warn', text))
  const saved = apiKey === undefined ? undefined : { apiKey, token: openProxyToken(folder.proxyToken) }
  const server = createProxy({ gateway, saved, cache, hasAffinity: affinity, onProblem })
  const address = await listen(server, readPort(port))
  tellStart(address, settings, open, screen)
  if (saved) screen.line('info', `API key for your clients on this machine: ${saved.token}`)
  if (saved) screen.line('info', `It works here alone, for whoever knows it, and is kept in ${folder.proxyToken}`)
  const stopped = Promise.withResolvers<void>()
  const stopListening = listenForStop({ onStop: () => stopped.resolve() })
  await stopped.promise
  screen.line('info', 'Stopping…')
  await stop(server)
  stopListening()
}

function tellStart(address: string, { gateway, seal }: Settings, open: OpenSeal | undefined, screen: Screen): void {
  const key = readSealText(seal)?.publicKey
  screen.line('good', `Base URL for your clients: ${address}/openai/v1`)
  screen.line('info', `Gateway: ${gateway.href}`)
  if (key !== undefined) screen.line('info', `Seal: ${seal}, fingerprint ${fingerprintOf(key).words}`)
  if (open === undefined) return screen.line('info', 'Clients have to send their own API key')
  const { information, trusted } = open
  screen.line('info', `Organization: ${trusted.organization}, ${plural(trusted.devices.length, 'approved device')}`)
  if (information.mode === 'off')
    screen.line('warn', 'Sealed requests are off → turn them on in the console under Settings → Sealed requests')
  for (const [model, count] of countByModel(open))
    screen.line('info', `${model}: ${plural(count, 'approved device')} online`)
  if (trusted.devices.length === 0) screen.line('warn', 'No device is approved yet → hearth-seal approve')
}

/** Devices that are online with the approved key. */
export function countByModel({ information, trusted }: Pick<OpenSeal, 'information' | 'trusted'>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id, key, models } of information.online) {
    const isApproved = trusted.devices.some((device) => device.id === id && device.key === key)
    for (const model of models) counts.set(model, (counts.get(model) ?? 0) + (isApproved ? 1 : 0))
  }
  return counts
}

function tellOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Map<string, number>()
  return (text) => {
    if (Date.now() - (told.get(text) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
    if (told.size >= MAX_PROBLEMS) told.clear()
    told.set(text, Date.now())
    tell(text)
  }
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? DEFAULT_PORT : Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new CommandError(`"${text}" is not a port`, 'use a number from 1 to 65535, or 0 for any free one')
}

/** On this machine's own address alone. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new CommandError(
      isTaken ? `Port ${port} is in use, by you or by somebody else on this machine` : `Can't listen on port ${port}`,
      "choose another one with --port. Don't send anything to this one unless you know that your own hearth-seal proxy has it: whoever has it could read what clients send there",
      { cause: error },
    )
  }
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`
}

/** Replies that are under way may end. */
async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const timer = setTimeout(() => server.closeAllConnections(), FINISH_MS)
  await closed
  clearTimeout(timer)
}
