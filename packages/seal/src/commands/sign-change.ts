// Signs a change of the lists and stores it at the gateway. If another administrator signs at the same time, the change is made again on top
// of theirs.

import { CommandError } from '@hearth/command-line/errors'
import { checkTrust, type Trusted } from '@hearth/command-line/trust/check-trust'
import { forget } from '@hearth/command-line/trust/seen-file'
import {
  chainAfter,
  compareWithSeen,
  readDeviceList,
  sealText,
  writeAdministrators,
  writeDeviceList,
  type Administrator,
  type NamedApp,
  type SignedText,
  type TrustedDevice,
} from '@hearth/sealing'
import { storeDocuments, type Documents } from '../gateway/seal-api.ts'
import { loadOwnKey, saveOwnKey, type OwnKey } from '../state/signing-key.ts'
import { askPerson } from './ask-person.ts'
import type { Context } from './context.ts'
import { reportUnreachable, explainRejection, openSeal, type OpenSeal } from './open-seal.ts'

export interface Lists {
  devices: readonly TrustedDevice[]
  administrators: readonly Administrator[]
  apps: readonly NamedApp[]
}

/** Returns the lists as they should be. May be called again with newer ones. */
export type Change = (lists: Lists) => Lists

const TRIES = 3

/** Returns the number of the new list of devices. */
export async function signChange(context: Context, first: OpenSeal, change: Change): Promise<number> {
  const key = loadOwnKey(context.folder)
  let open = first
  for (let attempt = 1; ; attempt++) {
    checkSigner(key, open)
    const { access, trusted } = open
    const documents = sign(key, trusted, change(trusted), open.information.devices)
    const stored = await storeDocuments(access, documents).catch((error: unknown) =>
      reportUnreachable(access.gateway, error),
    )
    if (stored === 'stored') {
      // From now on, the list before this one is an old one.
      const now = checkTrust({ ...open.information, ...documents }, open.seal, context.folder.seen)
      if (now.kind === 'trusted')
        saveOwnKey(context.folder, { ...key, signed: { ...key.signed, ...signedNow(now, documents) } })
      return (trusted.seen.devices?.number ?? 0) + (documents.devices ? 1 : 0)
    }
    if (stored.code !== 'conflict') throw explainRejection(access.gateway, stored)
    if (attempt === TRIES)
      throw new CommandError('Other administrators keep signing at the same time', 'run the command again')
    open = await openSeal(context)
  }
}

function signedNow({ seen }: Trusted, { administrators, devices }: Documents): OwnKey['signed'] {
  const short = ({ number, hash }: { number: number; hash: string }) => ({ number, hash, isChained: true as const })
  return {
    ...(administrators && seen.administrators && { administrators: short(seen.administrators) }),
    ...(devices && seen.devices && { devices: short(seen.devices) }),
  }
}

/** Opens the key of this administrator. Before a person is asked anything else. */
export async function openSigner(open: OpenSeal, isYes: boolean, context: Context): Promise<OwnKey> {
  const key = loadOwnKey(context.folder)
  checkSigner(key, open)
  const { trusted, information, seal } = open
  const list = trusted.seen.devices
  if (!open.isFirstContact || list === undefined) return key
  const read = readDeviceList(information.devices, [(information.devices as SignedText).key])
  const at = read.kind === 'read' ? new Date(read.document.signedAt).toISOString().slice(0, 16).replace('T', ' ') : ''
  const { screen, folder } = context
  screen.line(
    'warn',
    `This machine has seen no list of this seal before. The gateway shows list ${list.number}, signed at ${at} UTC`,
  )
  screen.line(
    'info',
    'If there is a newer one, this gateway hides it: compare the number with hearth-seal list on another machine',
  )
  if (await askPerson(`Is list ${list.number} the newest?`, isYes, context)) return key
  forget(folder.seen, seal)
  throw new CommandError(
    `Nothing was signed: list ${list.number} is not the newest`,
    'restore a newer copy of seal.json, or sign on a machine that has seen the newest list',
  )
}

function checkSigner({ kind, publicKey, signed }: OwnKey, { seal, trusted }: OpenSeal): void {
  const own = sealText(publicKey, kind)
  if (kind === 'hs' && own !== seal)
    throw new CommandError(`The seal here (${own}) is not your organization's`, 'use --home to name the right folder')
  if (kind === 'ha' && !trusted.administrators.some(({ key }) => key === publicKey))
    throw new CommandError(
      'You are not an administrator of this seal yet',
      `send your key to whoever has the seal, who runs: hearth-seal approve ${own}`,
    )
  for (const document of ['administrators', 'devices'] as const)
    if (compareWithSeen(trusted.seen[document], signed[document]))
      throw new CommandError(
        `You have signed list ${signed[document]?.number} of ${document}, and the gateway shows ${shownAs(trusted.seen[document]?.number)}: it hides what you signed`,
        'nothing was signed. Talk to whoever runs the gateway; your clients reject the older list',
      )
}

function shownAs(number: number | undefined): string {
  return number === undefined ? 'none' : `another list ${number}`
}

function sign(key: OwnKey, { organization, seen, ...before }: Trusted, after: Lists, list: unknown): Documents {
  const changesAdministrators = !isSame(before.administrators, after.administrators)
  if (changesAdministrators && key.kind !== 'hs')
    throw new CommandError('Only whoever has the seal itself can change administrators', 'ask them')
  const { administrators, devices, apps } = after
  const next = (last: Trusted['seen']['devices']) => ({
    organization,
    number: (last?.number ?? 0) + 1,
    previous: chainAfter(last),
  })
  const signed = changesAdministrators
    ? writeAdministrators({ ...next(seen.administrators), administrators }, key)
    : undefined
  // A list of devices that a former administrator has signed would no longer count.
  const isOrphaned = signed !== undefined && !isSignedByOneOf(list, key, administrators)
  const changesDevices = isOrphaned || !isSame(before.devices, devices) || !isSame(before.apps, apps)
  const written = changesDevices
    ? writeDeviceList({ ...next(seen.devices), signedAt: Date.now(), devices, apps }, key)
    : undefined
  return { ...(signed && { administrators: signed }), ...(written && { devices: written }) }
}

/** A list that isn't there needs no signature. */
function isSignedByOneOf(list: unknown, key: OwnKey, administrators: readonly Administrator[]): boolean {
  const signer = (list as SignedText | undefined)?.key
  return (
    signer === undefined ||
    [key, ...administrators.map(({ key }) => ({ publicKey: key }))].some(({ publicKey }) => publicKey === signer)
  )
}

function isSame(before: readonly object[], after: readonly object[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
