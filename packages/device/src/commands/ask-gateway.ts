// The requests that login makes before there is a link, and how errors from the gateway are explained.

import type { Machine } from '@hearth/protocol'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { adviseConnection, adviseProxy } from '@hearth/command-line/gateway/advise-connection'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { preparedEnvironment } from '@hearth/command-line/gateway/prepare-network'
import { asFields, text, type Fields } from '@hearth/sealing/fields'
import type { Credential } from '../state/credential.ts'

const ANSWER_MS = 30_000

export interface GatewayAnswer {
  status: number
  fields: Fields
  /** From the error, if there is one. */
  code: string | undefined
  message: string | undefined
}

/** How a machine introduces itself. */
export interface Joining {
  name: string
  app: string
  machine: Machine
}

/** The name is missing if the gateway is too old to say. */
export type NewCredential = Omit<Credential, 'gateway' | 'name'> & { name?: string }

export async function askGateway(gateway: URL, path: string, body: object): Promise<GatewayAnswer> {
  const response = await fetch(under(gateway, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // A redirect must not carry the token to another server.
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw new CommandError(
      `Can't reach the gateway at ${gateway.origin}: ${describeError(error)}`,
      adviseConnection(error, gateway, preparedEnvironment()),
    )
  })
  // Something else than a gateway may answer; the status and the missing fields tell.
  const fields = asFields(await response.json().catch(() => undefined))
  const error = asFields(fields['error'])
  return { status: response.status, fields, code: text(error, 'code'), message: text(error, 'message') }
}

/** What anything but the expected answer means. */
export function rejectedLogin(gateway: URL, { status, message }: GatewayAnswer): CommandError {
  if (message !== undefined && status !== 404)
    return new CommandError(`The gateway rejected the login: ${message} (status ${status})`)
  return new CommandError(
    `${gateway.href} doesn't look like a Hearth gateway (status ${status})`,
    adviseProxy(gateway, preparedEnvironment()) ?? 'check the address',
  )
}

export function readNewCredential(answer: GatewayAnswer, gateway: URL): NewCredential {
  const device = text(answer.fields, 'device')
  const organization = text(answer.fields, 'organization')
  const credential = text(answer.fields, 'credential')
  if (device === undefined || organization === undefined || credential === undefined)
    throw rejectedLogin(gateway, answer)
  const name = text(answer.fields, 'name')
  return { device, organization, credential, ...(name !== undefined && { name }) }
}
