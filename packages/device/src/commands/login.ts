// Enrolls this machine with a one-time token, or with a code that a person approves in the console. The gateway returns a credential for
// this machine alone, and it is saved here.

import { existsSync } from 'node:fs'
import { describeSelf } from '../app/describe-self.ts'
import { CommandError } from '@hearth/command-line/errors'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { findCredential, saveCredential, type Credential } from '../state/credential.ts'
import { readStatus } from '../state/status-file.ts'
import { chooseName, readNameFacts } from '../system/machine/default-name.ts'
import { runCommand } from '../system/run-command.ts'
import { APP_VERSION } from '../version.ts'
import { askGateway, readNewCredential, type Joining, type NewCredential } from './ask-gateway.ts'
import type { Context } from './context.ts'
import { seal } from './seal.ts'
import { loginByCode } from './login-by-code.ts'

export interface LoginOptions {
  token?: string
  name?: string
  /** `hs-…`, to pin. */
  seal?: string
  /** The installer knows the next step. */
  installing?: true
}

type Environment = Context['world']['environment']

const MAX_NAME_LENGTH = 64

export async function login(address: string, options: LoginOptions, context: Context): Promise<void> {
  const { state, settings, screen, world } = context
  const gateway = readGatewayAddress(address, settings)
  const token = (options.token ?? world.environment['HEARTH_DEVICE_TOKEN'] ?? '').trim()
  const joining = await describeJoining(options.name, world.environment)
  const before = findBefore(state.credential)
  const answer = token === '' ? await loginByCode(gateway, joining, screen) : await enroll(gateway, token, joining)
  // The gateway adds a number to a name that another device has.
  const name = answer.name ?? joining.name
  const joinedBy = token === '' ? 'code' : 'token'
  saveCredential(state.credential, { ...answer, gateway: gateway.href, name, joinedBy })
  screen.line('good', `This machine is now device "${name}"`)
  if (options.seal !== undefined) await seal(options.seal, { isYes: false, isOff: false }, context)
  if (before !== undefined)
    screen.line(
      'info',
      `This replaces its login as device ${before.device} at ${before.gateway}. If you no longer need that device, remove it there.`,
    )
  if (isRunning(context)) screen.line('info', 'The running app switches to the new login automatically')
  else if (options.installing !== true) screen.line('info', nextStep(context))
}

async function describeJoining(chosen: string | undefined, environment: Environment): Promise<Joining> {
  const [machine, facts] = await Promise.all([
    describeSelf(runCommand, environment),
    readNameFacts(process.platform, runCommand),
  ])
  const name = chosen ?? chooseName({ ...facts, ...(machine.model !== undefined && { model: machine.model }) })
  return { name: name.slice(0, MAX_NAME_LENGTH), app: APP_VERSION, machine }
}

function isRunning({ state }: Context): boolean {
  return readStatus(state.status, new Date()) !== undefined
}

function nextStep({ state }: Context): string {
  return existsSync(state.registry)
    ? 'Next: hearth-device start'
    : 'Next: hearth-device start (downloads a small starter model; to pick another, run hearth-device models pull first)'
}

/** A damaged credential file must not prevent a new login. */
function findBefore(path: string): Credential | undefined {
  try {
    return findCredential(path)
  } catch {
    return undefined
  }
}

async function enroll(gateway: URL, token: string, joining: Joining): Promise<NewCredential> {
  const answer = await askGateway(gateway, '/device/v1/enrol', { token, ...joining })
  if (answer.status === 401)
    throw new CommandError(
      `The gateway rejected the token: ${answer.message ?? 'it is unknown, used or expired'}`,
      'a token works once, for a limited time: ask for a new one',
    )
  return readNewCredential(answer, gateway)
}
