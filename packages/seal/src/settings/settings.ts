// Where the gateway is, with which API key, and which seal is pinned: from flags, the environment or a file, in this order.

import { CommandError } from '@hearth/command-line/errors'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { text } from '@hearth/sealing/fields'
import { readObjectFile } from '@hearth/command-line/files/read-object-file'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { readSealText, sealText } from '@hearth/sealing'
import type { SealFolder } from '../state/folder.ts'
import { findOwnKey } from '../state/signing-key.ts'

export interface SettingTexts {
  gateway: string | undefined
  apiKey: string | undefined
  seal: string | undefined
  allowInsecure: boolean
}

export interface Settings {
  gateway: URL
  /** The proxy can do without one: its clients send their own. */
  apiKey: string | undefined
  /** `hs-…` */
  seal: string
}

const VARIABLES = { gateway: 'HEARTH_URL', apiKey: 'HEARTH_API_KEY', seal: 'HEARTH_SEAL' } as const
const INSECURE_VARIABLE = 'HEARTH_SEAL_ALLOW_INSECURE'
const DAMAGED = 'fix or delete it'

type Environment = Readonly<Record<string, string | undefined>>

export function readSettingTexts(
  flags: Partial<SettingTexts>,
  environment: Environment,
  folder: SealFolder,
): SettingTexts {
  const file = readObjectFile(folder.settings, DAMAGED) ?? {}
  if (Object.keys(file).length > 0) closeToOthers(folder.settings)
  const find = (name: keyof typeof VARIABLES): string | undefined =>
    flags[name] || environment[VARIABLES[name]] || text(file, name) || undefined
  return {
    gateway: find('gateway'),
    apiKey: find('apiKey'),
    seal: find('seal') ?? ownSeal(folder),
    allowInsecure:
      flags.allowInsecure === true || environment[INSECURE_VARIABLE] === 'true' || file['allowInsecure'] === true,
  }
}

/** Throws CommandError if something is missing or wrong. */
export function readSettings({ gateway, apiKey, seal, allowInsecure }: SettingTexts): Settings {
  if (gateway === undefined)
    throw new CommandError(
      'Which gateway?',
      `name it with --gateway https://hearth.example.com, or in ${VARIABLES.gateway}`,
    )
  return { gateway: readAddress(gateway, allowInsecure), apiKey, seal: readSeal(seal) }
}

export function readApiKey({ apiKey }: Settings): string {
  if (apiKey !== undefined) return apiKey
  throw new CommandError(
    'This needs an API key of your organization',
    `set ${VARIABLES.apiKey}, which keeps it out of the process list, or use --key`,
  )
}

export function saveSettings(folder: SealFolder, { gateway, apiKey, seal, allowInsecure }: SettingTexts): void {
  const saved = { gateway, apiKey, seal, ...(allowInsecure && { allowInsecure }) }
  writeJson(folder.settings, saved, { mode: 0o600 })
}

/** Whoever has the seal need not pin it. */
function ownSeal(folder: SealFolder): string | undefined {
  const own = findOwnKey(folder)
  return own?.kind === 'hs' ? sealText(own.publicKey, 'hs') : undefined
}

/** People may paste the address that they give to clients. */
function readAddress(address: string, allowInsecure: boolean): URL {
  return readGatewayAddress(address.replace(/\/openai\/v1\/?$/, ''), { allowInsecure })
}

function readSeal(seal: string | undefined): string {
  const advice = `ask an administrator for it (hs-…), and use --seal or ${VARIABLES.seal}. Don't take it from the gateway alone`
  if (seal === undefined) throw new CommandError("Which seal? hearth-seal needs your organization's", advice)
  if (readSealText(seal)?.kind !== 'hs')
    throw new CommandError(`"${seal}" is not a seal: it is cut short or has a typo`, advice)
  return seal.trim()
}
