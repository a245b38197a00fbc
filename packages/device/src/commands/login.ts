// Enrols this machine: a one-time token goes to the gateway, a credential of its own comes back and stays here.

import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { DeviceError, describeError } from '../errors.ts'
import { enrolAddress, readGatewayAddress } from '../link/gateway-address.ts'
import { findCredential, saveCredential, type Credential } from '../state/credential.ts'
import { isFields, text, type Fields } from '../state/fields.ts'
import { readStatus } from '../state/status-file.ts'
import type { Context } from './context.ts'

export interface LoginOptions {
  token: string | undefined
  name: string | undefined
}

const ENROL_MS = 30_000
const MAX_NAME_LENGTH = 64

export async function login(address: string, options: LoginOptions, context: Context): Promise<void> {
  const { state, settings, screen, world } = context
  const gateway = readGatewayAddress(address, settings)
  const token = (options.token ?? world.environment['HEARTH_DEVICE_TOKEN'] ?? '').trim()
  if (token === '')
    throw new DeviceError(
      'A one-time token is needed to log in',
      'ask an administrator of the organization for one, then: login <gateway-url> --token <token>',
    )
  const name = (options.name ?? hostname()).slice(0, MAX_NAME_LENGTH)
  const before = findBefore(state.credential)
  const answer = await enrol(gateway, token, name)
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
  const response = await fetch(enrolAddress(gateway), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name }),
    // A token must not follow a redirect to somebody else.
    redirect: 'manual',
    signal: AbortSignal.timeout(ENROL_MS),
  }).catch((error: unknown) => {
    throw new DeviceError(
      `Cannot reach the gateway ${gateway.origin}: ${describeError(error)}`,
      'check the address and the network (HTTPS_PROXY is honoured)',
    )
  })
  const body: unknown = await response.json().catch(() => undefined)
  const fields = isFields(body) ? body : {}
  if (response.status !== 200) throw refusal(response.status, fields, gateway)
  return readAnswer(fields, gateway)
}

function refusal(status: number, fields: Fields, gateway: URL): DeviceError {
  const error = fields['error']
  const message = isFields(error) ? text(error, 'message') : undefined
  if (status === 401)
    return new DeviceError(
      `The gateway did not take the token: ${message ?? 'it is unknown, used or expired'}`,
      'tokens work once and for a limited time: ask for a new one',
    )
  if (status === 404 || message === undefined)
    return new DeviceError(
      `${gateway.href} does not look like a Hearth gateway (status ${status})`,
      'check the address',
    )
  return new DeviceError(`The gateway refused the login: ${message} (status ${status})`)
}

function readAnswer(fields: Fields, gateway: URL): Omit<Credential, 'gateway' | 'name'> {
  const device = text(fields, 'device')
  const organization = text(fields, 'organization')
  const credential = text(fields, 'credential')
  if (device === undefined || organization === undefined || credential === undefined)
    throw new DeviceError(`${gateway.href} does not answer like a Hearth gateway`, 'check the address')
  return { device, organization, credential }
}
