// Enrols this machine: with a one-time token, or with a code that a person approves in the console. A credential of its own comes back and
// stays here.

import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { DeviceError } from '../errors.ts'
import { readGatewayAddress } from '../link/gateway-address.ts'
import { findCredential, saveCredential, type Credential } from '../state/credential.ts'
import { readStatus } from '../state/status-file.ts'
import { askGateway, notAGateway, readLogin, type GatewayAnswer } from './ask-gateway.ts'
import type { Context } from './context.ts'
import { loginByCode } from './login-by-code.ts'

export interface LoginOptions {
  token: string | undefined
  name: string | undefined
}

const MAX_NAME_LENGTH = 64

export async function login(address: string, options: LoginOptions, context: Context): Promise<void> {
  const { state, settings, screen, world } = context
  const gateway = readGatewayAddress(address, settings)
  const token = (options.token ?? world.environment['HEARTH_DEVICE_TOKEN'] ?? '').trim()
  const name = (options.name ?? hostname()).slice(0, MAX_NAME_LENGTH)
  const before = findBefore(state.credential)
  const answer = token === '' ? await loginByCode(gateway, name, screen) : await enrol(gateway, token, name)
  saveCredential(state.credential, { ...answer, gateway: gateway.href, name })
  screen.line('good', `this machine is now the device "${name}" of organization ${answer.organization}`)
  if (before !== undefined)
    screen.line(
      'info',
      `its login as ${before.device} at ${before.gateway} is forgotten here; remove that device at the gateway`,
    )
  screen.line('info', nextStep(context))
}

function nextStep({ state }: Context): string {
  if (readStatus(state.status, new Date()) !== undefined) return 'the running app uses the new login by itself'
  return existsSync(state.registry)
    ? 'next: hearth-device start'
    : 'next: hearth-device start (it fetches a small model; hearth-device models pull chooses others)'
}

/** A damaged login is no reason not to log in again. */
function findBefore(path: string): Credential | undefined {
  try {
    return findCredential(path)
  } catch {
    return undefined
  }
}

async function enrol(gateway: URL, token: string, name: string): Promise<Omit<Credential, 'gateway' | 'name'>> {
  const answer = await askGateway(gateway, '/device/v1/enrol', { token, name })
  if (answer.status !== 200) throw refusal(answer, gateway)
  return readLogin(answer, gateway)
}

function refusal(answer: GatewayAnswer, gateway: URL): DeviceError {
  const { status, message } = answer
  if (status === 401)
    return new DeviceError(
      `The gateway did not take the token: ${message ?? 'it is unknown, used or expired'}`,
      'tokens work once and for a limited time: ask for a new one',
    )
  if (status === 404 || message === undefined) return notAGateway(gateway, answer)
  return new DeviceError(`The gateway refused the login: ${message} (status ${status})`)
}
