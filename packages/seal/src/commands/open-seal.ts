// Fetches what the gateway says about the seal, and checks it. For commands: anything wrong becomes an error with words.

import { CommandError, describeError } from '@hearth/command-line/errors'
import { adviseConnection } from '@hearth/command-line/gateway/advise-connection'
import { prepareNetwork, preparedEnvironment } from '@hearth/command-line/gateway/prepare-network'
import { fetchSealInformation, type GatewayAccess, type Rejection } from '../gateway/seal-api.ts'
import type { SealInformation } from '../gateway/seal-information.ts'
import { readApiKey, readSettings } from '../settings/settings.ts'
import { checkTrust, type Trusted } from '@hearth/command-line/trust/check-trust'
import { explainMismatch } from '@hearth/command-line/trust/explain-mismatch'
import { recall } from '@hearth/command-line/trust/seen-file'
import type { Context } from './context.ts'

export interface OpenSeal {
  access: GatewayAccess
  seal: string
  information: SealInformation
  trusted: Trusted
  /** This machine has seen no lists of this seal before: it can't know whether there are newer ones. */
  isFirstContact: boolean
}

export async function openSeal({ texts, world, folder }: Context): Promise<OpenSeal> {
  const settings = readSettings(texts)
  const { gateway, seal } = settings
  const access = { gateway, apiKey: readApiKey(settings) }
  prepareNetwork(world.environment)
  const fetched = await fetchSealInformation(access).catch((error: unknown) => reportUnreachable(gateway, error))
  if (fetched.kind === 'rejected') throw explainRejection(gateway, fetched)
  const { information } = fetched
  const isFirstContact = recall(folder.seen, seal)?.seen.devices === undefined
  const checked = checkTrust(information, seal, folder.seen)
  if (checked.kind === 'trusted') return { access, seal, information, trusted: checked, isFirstContact }
  const { message, advice } = explainMismatch(checked)
  throw new CommandError(message, advice)
}

export function reportUnreachable(gateway: URL, error: unknown): never {
  throw new CommandError(
    `Can't reach the gateway at ${gateway.origin}: ${describeError(error)}`,
    adviseConnection(error, gateway, preparedEnvironment()),
  )
}

export function explainRejection(gateway: URL, { status, message }: Rejection): CommandError {
  if (status === 401)
    return new CommandError(`The gateway rejected the API key: ${message ?? 'it is unknown'}`, 'use another API key')
  if (message === undefined)
    return new CommandError(
      `${gateway.href} doesn't look like a Hearth gateway that takes sealed requests (status ${status})`,
      "check the address; if it's right, ask whoever runs the gateway to update it",
    )
  return new CommandError(`The gateway says: ${message} (status ${status})`)
}
