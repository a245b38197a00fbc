// Signs a change of the lists and stores it at the gateway. If another administrator signs at the same time, the change is made again on top
// of theirs.

import { CommandError } from '@hearth/command-line/errors'
import {
  sealText,
  writeAdministrators,
  writeDeviceList,
  type Administrator,
  type SignedText,
  type TrustedDevice,
} from '@hearth/sealing'
import { storeDocuments, type Documents } from '../gateway/seal-api.ts'
import { loadOwnKey, type OwnKey } from '../state/signing-key.ts'
import { checkTrust, type Trusted } from '../trust/check-trust.ts'
import type { Context } from './context.ts'
import { cannotReach, explainRejection, openSeal, type OpenSeal } from './open-seal.ts'

export interface Lists {
  devices: readonly TrustedDevice[]
  administrators: readonly Administrator[]
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
    const stored = await storeDocuments(access, documents).catch((error: unknown) => cannotReach(access.gateway, error))
    if (stored === 'stored') {
      // From now on, the list before this one is an old one.
      checkTrust({ ...open.information, ...documents }, open.seal, context.folder)
      return trusted.numbers.devices + (documents.devices ? 1 : 0)
    }
    if (stored.code !== 'conflict') throw explainRejection(access.gateway, stored)
    if (attempt === TRIES)
      throw new CommandError('Other administrators keep signing at the same time', 'run the command again')
    open = await openSeal(context)
  }
}

/** Before a person is asked anything. */
export function checkSigner({ kind, publicKey }: OwnKey, { seal, trusted }: OpenSeal): void {
  const own = sealText(publicKey, kind)
  if (kind === 'hs' && own !== seal)
    throw new CommandError(`The seal here (${own}) is not your organization's`, 'use --home to name the right folder')
  if (kind === 'ha' && !trusted.administrators.some(({ key }) => key === publicKey))
    throw new CommandError(
      'You are not an administrator of this seal yet',
      `send your key to whoever has the seal, who runs: hearth-seal approve ${own}`,
    )
}

function sign(key: OwnKey, { organization, numbers, ...before }: Trusted, after: Lists, list: unknown): Documents {
  const changesAdministrators = !isSame(before.administrators, after.administrators)
  if (changesAdministrators && key.kind !== 'hs')
    throw new CommandError('Only whoever has the seal itself can change administrators', 'ask them')
  const { administrators } = after
  const signed = changesAdministrators
    ? writeAdministrators({ organization, number: numbers.administrators + 1, administrators }, key)
    : undefined
  // A list of devices that a former administrator has signed would no longer count.
  const isOrphaned = signed !== undefined && !isSignedByOneOf(list, key, administrators)
  const changesDevices = isOrphaned || !isSame(before.devices, after.devices)
  const devices = changesDevices
    ? writeDeviceList({ organization, number: numbers.devices + 1, signedAt: Date.now(), devices: after.devices }, key)
    : undefined
  return { ...(signed && { administrators: signed }), ...(devices && { devices }) }
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
