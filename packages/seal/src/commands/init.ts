// Makes the key of an administrator: the seal of an organization, or a key for which the seal vouches later.

import { fingerprintOf, sealText } from '@hearth/sealing'
import { makeOwnKey, putAwayOwnKey } from '../state/signing-key.ts'
import type { Context } from './context.ts'

export interface InitOptions {
  join: boolean
  /** Puts a key away that is already here. */
  isNew: boolean
  isJson: boolean
}

export function init({ join, isNew, isJson }: InitOptions, context: Context): void {
  const { folder, screen, world } = context
  const kind = join ? 'ha' : 'hs'
  const old = isNew ? putAwayOwnKey(folder, new Date()) : undefined
  const { publicKey } = makeOwnKey(folder, kind)
  const text = sealText(publicKey, kind)
  const fingerprint = fingerprintOf(publicKey)
  if (isJson) {
    const made = join ? { administrator: text } : { seal: text }
    world.stdout.write(`${JSON.stringify({ ...made, fingerprint, path: folder.signingKey })}\n`)
    return
  }
  screen.line('good', join ? `Made your key: ${text}` : `Made the seal of your organization: ${text}`)
  screen.line('info', `Fingerprint: ${fingerprint.words} (${fingerprint.hex})`)
  screen.line('info', `It is in ${folder.signingKey}, where only you can read it. Keep a copy in a safe place.`)
  if (old !== undefined) screen.line('info', `The old one is in ${old}`)
  for (const step of join ? joinSteps(text) : sealSteps()) screen.line('info', step)
}

function sealSteps(): string[] {
  return [
    'Next: paste the seal in the console under Settings → Sealed requests. Then run hearth-seal approve',
    'Give the seal to everyone who runs hearth-seal proxy, and not through the gateway',
  ]
}

function joinSteps(text: string): string[] {
  return [
    `Next: whoever has the seal runs hearth-seal approve ${text}`,
    'Compare the fingerprint with them, and get the seal (hs-…) from them',
  ]
}
