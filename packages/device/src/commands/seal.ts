// Pins the seal of the organization, after its owner has compared it, and shows which code it names.

import { CommandError } from '@hearth/command-line/errors'
import type { Get } from '@hearth/command-line/install/fetch-app'
import { httpGet } from '@hearth/command-line/install/http-get'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { confirm } from '@hearth/command-line/terminal/confirm'
import { fingerprintOf, newestApps, readSealText } from '@hearth/sealing'
import { findInstalled } from '../install/installed.ts'
import { loadCredential } from '../state/credential.ts'
import { checkPinned, fetchSeal, findPinned, pinSeal, unpin } from '../state/pinned-seal.ts'
import type { Context } from './context.ts'

export interface SealOptions {
  isYes: boolean
  /** Takes the pin away. */
  isOff: boolean
}

export async function seal(given: string | undefined, { isYes, isOff }: SealOptions, context: Context): Promise<void> {
  const { state, screen, world } = context
  if (isOff) {
    unpin(state.pinnedSeal)
    return screen.line('info', 'No seal is pinned. An update asks you before it installs code that has changed')
  }
  const credential = loadCredential(state.credential)
  const get: Get = (url, limits) => httpGet(url, { environment: world.environment, ...limits })
  const shown = await fetchSeal(credential, get)
  const wanted = given ?? findPinned(state.pinnedSeal) ?? (await confirmShown(shown.seal, isYes, context))
  pinSeal(state.pinnedSeal, wanted, credential.organization)
  const { apps, seen } = checkPinned(shown, wanted, state.pinnedSeal)
  screen.line('good', `Pinned the seal of your organization: ${wanted}, list ${seen.devices?.number ?? 0}`)
  const own = apps.filter(({ program }) => program === DEVICE_APP.command)
  for (const { version, sha256 } of newestApps(own)) screen.line('info', `It names device app ${version}, ${sha256}`)
  const installed = findInstalled(state.path)
  const running = installed?.folder.hashOf(installed.name)
  if (running !== undefined && !own.some(({ sha256 }) => sha256.startsWith(running)))
    screen.line('warn', `It doesn't name the app that runs here (${running}) → ask an administrator to compare it`)
}

/** The words come from the gateway, so a person has to compare them. */
async function confirmShown(text: string | undefined, isYes: boolean, { world, screen }: Context): Promise<string> {
  const key = text === undefined ? undefined : readSealText(text)?.publicKey
  if (text === undefined || key === undefined)
    throw new CommandError('Your organization has no seal at this gateway', 'there is nothing to pin')
  screen.line('info', `The gateway says that the seal of your organization is ${text}`)
  screen.line('info', `Fingerprint: ${fingerprintOf(key).words}`)
  screen.line('info', 'Compare it with what hearth-seal list shows an administrator')
  if (isYes) return text
  if (world.stdin?.isTTY !== true)
    throw new CommandError('Nobody is here to compare it', 'give the seal: hearth-device seal hs-…')
  if (await confirm('Is it the same?', world.stdin, world.stdout)) return text
  throw new CommandError('Nothing was pinned', 'ask an administrator for the seal (hs-…)')
}
