// Whether an organization seals its requests, and the lists that its seal has signed. The store keeps lists as they were signed; whoever puts
// one has checked its signature. Only the newest list of each kind is kept, and its number only grows as long as the seal stays the same.

import { and, eq } from 'drizzle-orm'
import type { Actor, By } from './audit.ts'
import { inTransaction } from './database/bind-queries.ts'
import type { Database, Handle } from './database/database.ts'
import { lockOrganization, recordOrganizationChange } from './people/organization-rows.ts'
import { apiKey } from './tables/keys.ts'
import { organization, person, type SealingMode } from './tables/people.ts'
import { signedList, type ListKind } from './tables/sealing.ts'

export const sealingQueries = { readSealing, readListNumbers, ...inTransaction({ changeSealing, putSignedLists }) }

/** A text, and who signed it. */
export interface SignedText {
  text: string
  key: string
  signature: string
}

export interface StoredList extends SignedText {
  number: number
  putAt: Date
}

export interface Sealing {
  mode: SealingMode
  /** The public half of the key that signs the lists. Absent before there is one. */
  seal?: string
  administrators?: StoredList
  devices?: StoredList
}

/** Undefined if the organization does not exist. */
async function readSealing({ query }: Database, id: string): Promise<Sealing | undefined> {
  const [found] = await query
    .select({ mode: organization.sealing, seal: organization.seal })
    .from(organization)
    .where(eq(organization.id, id))
  if (!found) return undefined
  const lists = await query.select().from(signedList).where(eq(signedList.organizationId, id))
  const listOf = (wanted: ListKind) => {
    const row = lists.find(({ kind }) => kind === wanted)
    return row && { [wanted]: toStoredList(row) }
  }
  return {
    mode: found.mode,
    ...(found.seal !== null && { seal: found.seal }),
    ...listOf('administrators'),
    ...listOf('devices'),
  }
}

function toStoredList({ number, text, key, signature, putAt }: typeof signedList.$inferSelect): StoredList {
  return { number, text, key, signature, putAt }
}

/** The mode, the seal and the numbers of its lists, without the lists: those can be large. */
export interface ListNumbers {
  mode: SealingMode
  seal: string | undefined
  /** 0 if there is no list. */
  administrators: number
  devices: number
}

/** Undefined if the organization does not exist. */
async function readListNumbers({ query }: Database, id: string): Promise<ListNumbers | undefined> {
  const rows = await query
    .select({ mode: organization.sealing, seal: organization.seal, kind: signedList.kind, number: signedList.number })
    .from(organization)
    .leftJoin(signedList, eq(signedList.organizationId, organization.id))
    .where(eq(organization.id, id))
  const numberOf = (wanted: ListKind) => rows.find(({ kind }) => kind === wanted)?.number ?? 0
  const [first] = rows
  return (
    first && {
      mode: first.mode,
      seal: first.seal ?? undefined,
      administrators: numberOf('administrators'),
      devices: numberOf('devices'),
    }
  )
}

export interface SealingChange {
  organization: string
  mode?: SealingMode | undefined
  /** Another seal: lists that the one before it has signed are forgotten. */
  seal?: string | undefined
}

/** `no-seal`: nothing can be sealed for an organization without a seal, so its mode has to stay off. */
export type SealingChanged = 'changed' | 'unknown' | 'no-seal'

async function changeSealing(
  transaction: Handle,
  { organization: id, by, ...change }: SealingChange & By,
): Promise<SealingChanged> {
  const found = await lockOrganization(transaction, id)
  if (!found) return 'unknown'
  const before = { sealing: found.sealing, seal: found.seal }
  const after = { sealing: change.mode ?? before.sealing, seal: change.seal ?? before.seal }
  if (after.sealing !== 'off' && after.seal === null) return 'no-seal'
  if (after.sealing === before.sealing && after.seal === before.seal) return 'changed'
  await transaction.update(organization).set(after).where(eq(organization.id, id))
  if (after.seal !== before.seal) await transaction.delete(signedList).where(eq(signedList.organizationId, id))
  await recordOrganizationChange(transaction, found, { by, action: 'organization.seal', before, after })
  return 'changed'
}

/** A list whose signature was checked. */
export interface NewList extends SignedText {
  number: number
  /** How many administrators or devices it names. */
  entries: number
}

export interface NewLists {
  organization: string
  /** The seal that the lists were checked against. */
  seal: string
  /** The API key that brought them: its creator is in the audit log. */
  apiKey: string
  address?: string
  administrators?: NewList
  devices?: NewList
}

/** `conflict`: somebody else put a list or changed the seal in the meantime. Then nothing was put. */
export type ListsPut = 'put' | 'conflict'

async function putSignedLists(transaction: Handle, input: NewLists): Promise<ListsPut> {
  const found = await lockOrganization(transaction, input.organization)
  if (!found || found.seal !== input.seal) return 'conflict'
  const { administrators, devices } = input
  const numbers = await numbersOf(transaction, input.organization)
  if (!follows(administrators, numbers.administrators) || !follows(devices, numbers.devices)) return 'conflict'
  const by = await actorOf(transaction, input)
  for (const [kind, list] of [['administrators', administrators] as const, ['devices', devices] as const]) {
    if (!list) continue
    await putList(transaction, input.organization, kind, list)
    const after = { list: kind, number: list.number, entries: list.entries }
    await recordOrganizationChange(transaction, found, { by, action: 'organization.sign', after })
  }
  return 'put'
}

async function numbersOf(transaction: Handle, id: string): Promise<Record<ListKind, number>> {
  const rows = await transaction
    .select({ kind: signedList.kind, number: signedList.number })
    .from(signedList)
    .where(eq(signedList.organizationId, id))
  const numbers = { administrators: 0, devices: 0 }
  for (const { kind, number } of rows) numbers[kind] = number
  return numbers
}

function follows(list: NewList | undefined, last: number): boolean {
  return list === undefined || list.number === last + 1
}

async function putList(transaction: Handle, id: string, kind: ListKind, list: NewList): Promise<void> {
  const { number, text, key, signature } = list
  const values = { number, text, key, signature, putAt: new Date() }
  await transaction
    .insert(signedList)
    .values({ organizationId: id, kind, ...values })
    .onConflictDoUpdate({ target: [signedList.organizationId, signedList.kind], set: values })
}

async function actorOf(transaction: Handle, { organization: id, apiKey: key, address }: NewLists): Promise<Actor> {
  const [creator] = await transaction
    .select({ id: person.id, name: person.name })
    .from(apiKey)
    .innerJoin(person, eq(person.id, apiKey.createdBy))
    .where(and(eq(apiKey.id, key), eq(apiKey.organizationId, id)))
  // The key may be gone since it was checked.
  const who = creator ?? { name: 'a deleted API key' }
  return { kind: 'person', ...who, ...(address !== undefined && { address }) }
}
