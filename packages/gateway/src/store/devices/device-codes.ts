// The other way for a device to join: with a code that it shows and a person approves. Only digests are stored.

import type { Machine } from '@hearth/protocol'
import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { recordChange, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { omitNulls } from '../database/omit-nulls.ts'
import { deviceCode } from '../tables/devices.ts'
import { requireRoomForDevice } from './device-quota.ts'
import { insertDevice, type Device } from './device-rows.ts'

export const deviceCodeQueries = {
  createDeviceCode,
  findDeviceCode,
  decideDeviceCode,
  ...inTransaction({ pollDeviceCode }),
}

/** The device's own description of itself. */
export interface AskingDevice {
  name: string
  app: string
  system: string
  address: string
  machine?: Machine
  createdAt: Date
  expiresAt: Date
}

export interface NewDeviceCode extends AskingDevice {
  digest: string
  selector: string
  userCodeDigest: string
  /** How long the device has to wait between two polls. */
  intervalMs: number
}

export interface TypedCode {
  selector: string
  userCodeDigest: string
  at: Date
}

interface Decision extends TypedCode {
  organization: string
  decision: 'approve' | 'deny'
  name?: string
  /** How many devices the organization may have. */
  most?: number
}

interface Poll {
  digest: string
  credentialDigest: string
  at: Date
  address?: string
  /** How many devices the organization may have. */
  most?: number
}

export type DeviceCodePoll =
  | { kind: 'approved'; device: Device }
  | { kind: 'pending' | 'denied' | 'expired' }
  /** The device polled too soon, and has to wait longer from now on. */
  | { kind: 'slow-down'; intervalMs: number }

/** How many devices may wait for approval at once; more than this is a flood. */
export const MAX_WAITING = 10_000
const MAX_WRONG_TRIES = 5
/** How much longer a device has to wait between polls after polling too fast. */
const SLOW_DOWN_MS = 5_000

const asking = {
  name: deviceCode.name,
  app: deviceCode.app,
  system: deviceCode.system,
  address: deviceCode.address,
  machine: deviceCode.machine,
  createdAt: deviceCode.createdAt,
  expiresAt: deviceCode.expiresAt,
}

/** False if too many devices are waiting, or if another one has the same first half of the code. */
async function createDeviceCode({ query }: Database, input: NewDeviceCode): Promise<boolean> {
  await query.delete(deviceCode).where(lt(deviceCode.expiresAt, input.createdAt))
  if ((await query.$count(deviceCode)) >= MAX_WAITING) return false
  const created = await query
    .insert(deviceCode)
    .values({ ...input, state: 'pending' })
    .onConflictDoNothing()
    .returning({ digest: deviceCode.digest })
  return created.length > 0
}

/** A code whose first half matches and whose second half does not counts as a wrong attempt; after five, the code stops working. */
async function findDeviceCode({ query }: Database, typed: TypedCode): Promise<AskingDevice | undefined> {
  const [found] = await query.select(asking).from(deviceCode).where(isMeant(typed))
  if (!found) await countWrongTry(query, typed)
  return found && omitNulls(found)
}

/** False if no device is waiting with this code. Fails with `limit` if the organization has too many devices to approve another. */
async function decideDeviceCode({ query, transact }: Database, decision: Decision & By): Promise<boolean> {
  const isDone = await transact((transaction) => decide(transaction, decision))
  if (!isDone) await countWrongTry(query, decision)
  return isDone
}

async function decide(transaction: Handle, input: Decision & By): Promise<boolean> {
  const { organization, decision, name, by } = input
  const isApproved = decision === 'approve'
  const [decided] = await transaction
    .update(deviceCode)
    .set({
      state: isApproved ? 'approved' : 'denied',
      ...(isApproved && { organizationId: organization, approvedBy: by?.kind === 'person' ? by.id : null }),
      ...(isApproved && name !== undefined && { name }),
    })
    .where(isMeant(input))
    .returning(asking)
  if (!decided) return false
  // After the code, as when a device polls: two that lock the same rows in another order would wait for each other.
  if (isApproved) await requireRoomForDevice(transaction, organization, input.most)
  const { name: shown, app, system, address } = decided
  await recordChange(transaction, {
    organization,
    by,
    action: `device.${decision}`,
    id: '',
    name: shown,
    after: { app, system, address },
  })
  return true
}

/** Creates the device after its code was approved, on the first poll only. */
async function pollDeviceCode(
  transaction: Handle,
  { digest, at, credentialDigest, address, most }: Poll,
): Promise<DeviceCodePoll> {
  const isThis = eq(deviceCode.digest, digest)
  const [found] = await transaction.select().from(deviceCode).where(isThis).for('update')
  if (!found || found.state === 'used' || found.expiresAt <= at) return { kind: 'expired' }
  if (found.state === 'denied') return { kind: 'denied' }
  if (found.state === 'approved' && found.organizationId !== null) {
    await transaction.update(deviceCode).set({ state: 'used' }).where(isThis)
    const { organizationId: organization, name, app, approvedBy: addedBy } = found
    const machine = found.machine ?? undefined
    const device = { organization, name, credentialDigest, address, app, machine, addedBy, most }
    return { kind: 'approved', device: await insertDevice(transaction, device) }
  }
  const isTooSoon = found.polledAt !== null && at.getTime() - found.polledAt.getTime() < found.intervalMs
  const intervalMs = found.intervalMs + (isTooSoon ? SLOW_DOWN_MS : 0)
  await transaction.update(deviceCode).set({ polledAt: at, intervalMs }).where(isThis)
  return isTooSoon ? { kind: 'slow-down', intervalMs } : { kind: 'pending' }
}

function isMeant({ selector, userCodeDigest, at }: TypedCode) {
  return and(isWaiting({ selector, at }), eq(deviceCode.userCodeDigest, userCodeDigest))
}

function isWaiting({ selector, at }: Pick<TypedCode, 'selector' | 'at'>) {
  return and(eq(deviceCode.selector, selector), eq(deviceCode.state, 'pending'), gt(deviceCode.expiresAt, at))
}

/** The first half of the code matches and the second does not: someone is guessing. */
async function countWrongTry(query: Handle, typed: TypedCode): Promise<void> {
  const tries = sql`${deviceCode.wrongTries} + 1`
  await query
    .update(deviceCode)
    .set({ wrongTries: tries, state: sql`case when ${tries} >= ${MAX_WRONG_TRIES} then 'denied' else 'pending' end` })
    .where(and(isWaiting(typed), ne(deviceCode.userCodeDigest, typed.userCodeDigest)))
}
