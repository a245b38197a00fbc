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
import { askGateway, notAGateway, readLogin, type GatewayAnswer, type Joining, type Login } from './ask-gateway.ts'
import type { Context } from './context.ts'
import { seal } from './seal.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from '@hearth/command-line/files/fields'
import type { Screen } from '@hearth/command-line/terminal/screen'

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

async function enroll(gateway: URL, token: string, joining: Joining): Promise<Login> {
  const answer = await askGateway(gateway, '/device/v1/enrol', { token, ...joining })
  if (answer.status !== 200) throw refusal(answer, gateway)
  return readLogin(answer, gateway)
}

function refusal(answer: GatewayAnswer, gateway: URL): CommandError {
  const { status, message } = answer
  if (status === 401)
    return new CommandError(
      `The gateway rejected the token: ${message ?? 'it is unknown, used or expired'}`,
      'a token works once, for a limited time: ask for a new one',
    )
  if (status === 404 || message === undefined) return notAGateway(gateway, answer)
  return new CommandError(`The gateway rejected the login: ${message} (status ${status})`)
}

// Login without a token (RFC 8628): the gateway issues a code, a person approves it in the console, and this polls until then.
/** The defaults of the RFC, for a gateway that doesn't send its own. */
const INTERVAL_S = 5
const SLOW_DOWN_S = 5

interface Waiting {
  deviceCode: string
  userCode: string
  page: string
  intervalS: number
}

async function loginByCode(gateway: URL, joining: Joining, screen: Screen): Promise<Login> {
  const waiting = await begin(gateway, joining)
  screen.line('info', `Open ${waiting.page} and enter the code ${waiting.userCode}`)
  screen.live('Waiting for approval…')
  try {
    return await poll(gateway, waiting)
  } finally {
    screen.live(undefined)
  }
}

async function begin(gateway: URL, joining: Joining): Promise<Waiting> {
  const system = `${process.platform} ${process.arch}`
  const answer = await askGateway(gateway, '/device/v1/authorize', { ...joining, system })
  const deviceCode = text(answer.fields, 'device_code')
  const userCode = text(answer.fields, 'user_code')
  const page = text(answer.fields, 'verification_uri')
  if (answer.message !== undefined && answer.status !== 404)
    throw new CommandError(`The gateway rejected the login: ${answer.message} (status ${answer.status})`)
  if (deviceCode === undefined || userCode === undefined || page === undefined) throw notAGateway(gateway, answer)
  return { deviceCode, userCode, page, intervalS: seconds(answer, 'interval') ?? INTERVAL_S }
}

// This loop ends: codes expire after a few minutes, and then the gateway returns an error.
async function poll(gateway: URL, { deviceCode, intervalS }: Waiting): Promise<Login> {
  let waitS = intervalS
  for (;;) {
    await sleep(waitS * 1_000)
    const answer = await askGateway(gateway, '/device/v1/token', { device_code: deviceCode })
    if (answer.status === 200) return readLogin(answer, gateway)
    if (answer.code === 'slow_down') waitS += SLOW_DOWN_S
    else if (answer.code !== 'authorization_pending' && answer.status < 500 && answer.status !== 429)
      throw new CommandError(
        `The login was not approved: ${answer.message ?? `status ${answer.status}`}`,
        'run login again for a new code',
      )
  }
}

function seconds({ fields }: GatewayAnswer, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && value > 0 && value <= 60 ? value : undefined
}
