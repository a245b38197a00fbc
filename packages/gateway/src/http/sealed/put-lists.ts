// PUT /sealed/v1/seal: stores lists that the seal of the organization has signed. The gateway checks them, so that nobody without the seal can
// replace a list by nonsense; clients check them again, and trust nobody else's check.

import type { IncomingMessage } from 'node:http'
import { ApiError, parseJson, readBody, type Reservation } from '@hearth/chat'
import { isObject } from '@hearth/protocol'
import { readAdministrators, readDeviceList, readSealText, type SignedText } from '@hearth/sealing'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import type { AccessBook, Caller } from '../../access/book/access-book.ts'
import type { NewList, Sealing } from '../../store/sealing.ts'
import type { Store } from '../../store/store.ts'

/** Two lists of 4 MiB, with room for the quotes in them, which are escaped. */
export const MAX_LISTS_BYTES = 12 * 1024 * 1024

export interface PutListsContext {
  store: Pick<Store, 'readSealing' | 'putSignedLists'>
  book: AccessBook
}

type Part = 'administrators' | 'devices'
type Lists = Partial<Record<Part, unknown>>

export async function putLists(
  request: IncomingMessage,
  caller: Caller,
  address: string,
  reservation: Reservation,
  { store, book }: PutListsContext,
): Promise<void> {
  const lists = readLists(parseJson((await readBody(request, MAX_LISTS_BYTES, reservation)).bytes))
  const { organization, key: apiKey } = caller
  const sealing = await whileStoreAnswers(book, () => store.readSealing(organization))
  const checked = checkLists(lists, organization, sealing)
  const put = await whileStoreAnswers(book, () => store.putSignedLists({ organization, apiKey, address, ...checked }))
  if (put === 'conflict')
    throw new ApiError('conflict', 'Somebody signed a list at the same time. Run the command again.')
}

function readLists(body: unknown): Lists {
  const lists: Lists = isObject(body) ? body : {}
  if (lists.administrators === undefined && lists.devices === undefined)
    throw new ApiError('missing_required_parameter', "Send 'administrators', 'devices' or both.", 'devices')
  return lists
}

function checkLists(lists: Lists, organization: string, sealing: Sealing | undefined) {
  const root = sealing?.seal === undefined ? undefined : readSealText(sealing.seal)
  if (sealing?.seal === undefined || root === undefined)
    throw new ApiError(
      'conflict',
      'The organization has no seal yet. Paste the text that begins with hs- in the console, under Settings → Sealed requests.',
    )
  const administrators =
    lists.administrators === undefined ? undefined : readAdministrators(lists.administrators, root.publicKey)
  if (administrators?.kind === 'rejected') throw rejected('administrators', administrators.reason)
  const known = sealing.administrators && readAdministrators(sealing.administrators, root.publicKey)
  const others = (administrators ?? (known?.kind === 'read' ? known : undefined))?.document.administrators ?? []
  const signers = [root.publicKey, ...others.map(({ key }) => key)]
  const devices = lists.devices === undefined ? undefined : readDeviceList(lists.devices, signers)
  if (devices?.kind === 'rejected') throw rejected('devices', devices.reason)
  return {
    seal: sealing.seal,
    ...(administrators && {
      administrators: newList('administrators', administrators, organization, administrators.document.administrators),
    }),
    ...(devices && { devices: newList('devices', devices, organization, devices.document.devices) }),
  }
}

interface ReadList {
  document: { organization: string; number: number }
  signed: SignedText
}

function newList(part: Part, { document, signed }: ReadList, organization: string, rows: readonly unknown[]): NewList {
  if (document.organization !== organization) throw rejected(part, 'wrong-organization')
  return { ...signed, number: document.number, entries: rows.length }
}

const REASONS = {
  malformed: 'is not a list that this gateway knows: update hearth-seal, or the gateway',
  'too-large': 'is too large',
  'not-signed': 'is not signed by the seal of this organization, or by one of its administrators',
  'wrong-organization': 'belongs to another organization',
} as const

function rejected(part: Part, reason: keyof typeof REASONS): ApiError {
  return new ApiError('invalid_value', `The list of ${part} ${REASONS[reason]}.`, part)
}
