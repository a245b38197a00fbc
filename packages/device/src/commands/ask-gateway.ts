// What login says to a gateway before there is a link, and how its refusals are told.

import { DeviceError, describeError } from '../errors.ts'
import { under } from '../link/gateway-address.ts'
import type { Credential } from '../state/credential.ts'
import { isFields, text, type Fields } from '../state/fields.ts'

const ANSWER_MS = 30_000

export interface GatewayAnswer {
  status: number
  fields: Fields
  /** Of its error, when there is one. */
  code: string | undefined
  message: string | undefined
}

export async function askGateway(gateway: URL, path: string, body: object): Promise<GatewayAnswer> {
  const response = await fetch(under(gateway, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // A token must not follow a redirect to somebody else.
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw new DeviceError(
      `Cannot reach the gateway ${gateway.origin}: ${describeError(error)}`,
      'check the address and the network (HTTPS_PROXY is honoured)',
    )
  })
  const answer: unknown = await response.json().catch(() => undefined)
  const fields = isFields(answer) ? answer : {}
  const error = isFields(fields['error']) ? fields['error'] : {}
  return { status: response.status, fields, code: text(error, 'code'), message: text(error, 'message') }
}

export function notAGateway(gateway: URL, { status }: GatewayAnswer): DeviceError {
  return new DeviceError(`${gateway.href} does not look like a Hearth gateway (status ${status})`, 'check the address')
}

export function readLogin(answer: GatewayAnswer, gateway: URL): Omit<Credential, 'gateway' | 'name'> {
  const device = text(answer.fields, 'device')
  const organization = text(answer.fields, 'organization')
  const credential = text(answer.fields, 'credential')
  if (device === undefined || organization === undefined || credential === undefined) throw notAGateway(gateway, answer)
  return { device, organization, credential }
}
