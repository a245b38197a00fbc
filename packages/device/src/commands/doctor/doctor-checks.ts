// The checks that `doctor` runs. Each one returns lines that say what it found and what to do about it.

import { describeError, explainError } from '@hearth/command-line/errors'
import { createDial } from '../../link/dial.ts'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { readGgufHeader } from '../../models/gguf/gguf-header.ts'
import { loadRegistry } from '../../models/registry/registry.ts'
import { loadCredential } from '../../state/credential.ts'
import { readStatus } from '../../state/status-file.ts'
import type { Context } from '../context.ts'
import { checkEngine } from './doctor-engine.ts'
import { checkGateway } from './doctor-gateway.ts'
import { checkMachine, describeHardware } from './doctor-machine.ts'
import { addressesToServe } from '../../settings/added-servers.ts'
import { checkSearch, checkServers } from './doctor-servers.ts'
import { bad, good, warn, type Line } from '../../terminal/line.ts'

export type Check = (context: Context) => Promise<Line[]> | Line[]

const ASK_MS = 10_000
export const CHECKS: readonly Check[] = [
  async () => [await describeHardware()],
  checkMachine,
  checkEngine,
  checkModels,
  checkServers,
  checkSearch,
  checkConsoleDownloads,
  checkLogin,
]

/** Checks that the engine runs on this machine; needs no login and no model. */
export const ENGINE_CHECKS: readonly Check[] = [checkEngine]

function checkModels({ state, settings }: Context): Line[] {
  const entries = loadRegistry(state.registry)
  if (entries.length === 0 && addressesToServe(settings, state.servers).length > 0) return []
  if (entries.length === 0) return [warn('Models: none yet → hearth-device models pull starter')]
  return entries.map(({ name, path }) => {
    try {
      const { hasChatTemplate } = readGgufHeader(path)
      return hasChatTemplate
        ? good(`Model ${name}: file OK`)
        : warn(`Model ${name}: no chat template → answers may be poor; look for an instruct or chat model`)
    } catch (error) {
      return bad(`Model ${name}: ${describeError(error)} → pull it again, or run hearth-device models remove ${name}`)
    }
  })
}

async function checkLogin(context: Context): Promise<Line[]> {
  try {
    const credential = loadCredential(context.state.credential)
    const gateway = readGatewayAddress(credential.gateway, context.settings)
    const login = good(`Login: device "${credential.name}"`)
    const reached = await checkGateway(gateway, context.world.environment)
    const isReached = reached.every(({ level }) => level !== 'bad')
    return [login, ...reached, ...(isReached ? [await checkLink(gateway, credential.credential, context)] : [])]
  } catch (error) {
    return [bad(`Login: ${explainError(error)}`)]
  }
}

/** Dialing would disconnect a running app, so a running app's own status is used instead. */
async function checkLink(gateway: URL, credential: string, { state, world }: Context): Promise<Line> {
  const running = readStatus(state.status, new Date())
  if (running?.link.name === 'linked') return good('Connection: the running app is connected')
  if (running !== undefined) return bad('Connection: the running app is not connected → see hearth-device status')
  const quiet = { onMessage: () => {}, onSign: () => {}, onClose: () => {} }
  const dialed = await createDial(world.environment)({ gateway, credential }, quiet, AbortSignal.timeout(ASK_MS))
  if (dialed.kind === 'open') {
    dialed.socket.close(1000, '')
    return good('Connection: the gateway accepts this login')
  }
  if (dialed.kind === 'rejected' && dialed.status === 401)
    return bad('Connection: this device was removed, or its credential is wrong → hearth-device login')
  const why = dialed.kind === 'rejected' ? `status ${dialed.status}` : dialed.why
  return bad(`Connection: failed: ${why} → check whether a proxy on the way blocks WebSockets`)
}

// Reminds the owner of what others may download to this machine.
export function checkConsoleDownloads({ settings }: Pick<Context, 'settings'>): Line[] {
  if (settings.remoteModels === 'off' || !settings.allowLocalDownloads) return []
  return [
    warn('Console downloads: may come from your local network → remove allow-local-downloads if nobody needs that'),
  ]
}
