// The seal of the organization, once the owner of this machine has pinned it: from then on, only code that it names is installed.

import { rmSync } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { parseFields, text } from '@hearth/sealing/fields'
import type { CodeRoots } from '@hearth/command-line/install/judge-code'
import type { Get } from '@hearth/command-line/install/fetch-app'
import { checkTrust, type ShownSeal, type Trusted } from '@hearth/command-line/trust/check-trust'
import { explainMismatch } from '@hearth/command-line/trust/explain-mismatch'
import { recall, recallSeals, remember } from '@hearth/command-line/trust/seen-file'
import { newestApps } from '@hearth/sealing/documents/release'
import { readSealText } from '@hearth/sealing/keys/seal-text'
import type { Credential } from './credential.ts'

/** The lists, with room for escapes. */
const MAX_BYTES = 24 * 1024 * 1024
const TIMEOUT_MS = 60_000

export function findPinned(path: string): string | undefined {
  return recallSeals(path)[0]
}

/** Replaces the one that was pinned before. Throws CommandError if it is none. */
export function pinSeal(path: string, seal: string, organization: string): void {
  if (readSealText(seal)?.kind !== 'hs')
    throw new CommandError(
      `"${seal}" is not a seal: it is cut short or has a typo`,
      'ask an administrator for it (hs-…), not the gateway',
    )
  if (findPinned(path) === seal.trim()) return
  unpin(path)
  remember(path, seal.trim(), { organization, seen: {}, apps: [] })
}

export function unpin(path: string): void {
  rmSync(path, { force: true })
}

export async function fetchSeal({ gateway, credential, organization }: Credential, get: Get): Promise<ShownSeal> {
  const headers = { authorization: `Bearer ${credential}` }
  const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, headers }
  const { status, body } = await get(under(new URL(gateway), '/device/v1/seal'), limits)
  const fields = status === 200 ? parseFields(body.toString()) : undefined
  if (fields === undefined)
    throw new CommandError(
      `The gateway doesn't show the lists of your organization's seal (status ${status})`,
      'nothing was installed. Ask whoever runs the gateway',
    )
  const { administrators, devices } = fields
  return {
    organization: text(fields, 'organization') ?? organization,
    seal: text(fields, 'seal'),
    administrators,
    devices,
  }
}

/** The newest lists that follow those that were seen here. Throws CommandError if something doesn't fit. */
export function checkPinned(shown: ShownSeal, seal: string, path: string): Trusted {
  const checked = checkTrust(shown, seal, path)
  if (checked.kind === 'trusted') return checked
  const { message, advice } = explainMismatch(checked)
  throw new CommandError(message, advice)
}

/** From the lists that were seen last. Without a pinned seal, there are none. */
export function rememberedRoots(path: string): CodeRoots {
  const seal = findPinned(path)
  return seal === undefined ? {} : { named: newestApps(recall(path, seal)?.apps ?? []), whomToAsk: whomToAsk(seal, []) }
}

export function rootsOf(seal: string, { apps, administrators }: Trusted): CodeRoots {
  const names = administrators.map(({ name }) => name)
  return { named: newestApps(apps), whomToAsk: whomToAsk(seal, names) }
}

function whomToAsk(seal: string, names: readonly string[]): string {
  const who = names.length > 0 ? ` or ${names.join(', ')}` : ''
  return `ask whoever has the seal ${seal}${who} to compare the code and to run: hearth-seal app`
}
