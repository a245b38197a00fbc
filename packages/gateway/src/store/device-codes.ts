import { and, count, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { insertDevice } from './devices.ts'
import { omitNulls } from './omit-nulls.ts'
import type { DeviceCodePoll, EnrolmentStore, NewCredential, TypedCode } from './store.ts'
import { deviceCode } from './tables.ts'

type DeviceCodeQueries = Pick<
  EnrolmentStore,
  'createDeviceCode' | 'findDeviceCode' | 'decideDeviceCode' | 'pollDeviceCode'
>

/** How many devices may wait for approval at once; more than this is a flood. */
const MAX_WAITING = 10_000
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

export function deviceCodeQueries({ query, transact }: Database): DeviceCodeQueries {
  return {
    async createDeviceCode(input) {
      await query.delete(deviceCode).where(lt(deviceCode.expiresAt, input.createdAt))
      const [waiting] = await query.select({ count: count() }).from(deviceCode)
      if ((waiting?.count ?? 0) >= MAX_WAITING) return false
      const created = await query
        .insert(deviceCode)
        .values({ ...input, state: 'pending' })
        .onConflictDoNothing()
        .returning({ digest: deviceCode.digest })
      return created.length > 0
    },

    async findDeviceCode(typed) {
      const [found] = await query.select(asking).from(deviceCode).where(isMeant(typed))
      if (!found) await countWrongTry(query, typed)
      return found && omitNulls(found)
    },

    async decideDeviceCode({ organization, decision, name, by, ...typed }) {
      const isDone = await transact(async (transaction) => {
        const isApproved = decision === 'approve'
        const [decided] = await transaction
          .update(deviceCode)
          .set({
            state: isApproved ? 'approved' : 'denied',
            ...(isApproved && { organizationId: organization }),
            ...(isApproved && name !== undefined && { name }),
          })
          .where(isMeant(typed))
          .returning(asking)
        if (!decided) return false
        const { name: shown, app, system, address } = decided
        const object = { kind: 'device', id: '', name: shown }
        const after = { app, system, address }
        await recordChange(transaction, {
          organization,
          by,
          action: `device.${decision}`,
          object,
          after,
          kinds: ['devices'],
        })
        return true
      })
      if (!isDone) await countWrongTry(query, typed)
      return isDone
    },

    pollDeviceCode(input) {
      return transact((transaction) => poll(transaction, input))
    },
  }
}

async function poll(transaction: Handle, input: NewCredential & { digest: string }): Promise<DeviceCodePoll> {
  const { digest, at, credentialDigest, address } = input
  const isThis = eq(deviceCode.digest, digest)
  const [found] = await transaction.select().from(deviceCode).where(isThis).for('update')
  if (!found || found.state === 'used' || found.expiresAt <= at) return { kind: 'expired' }
  if (found.state === 'denied') return { kind: 'denied' }
  if (found.state === 'approved' && found.organizationId !== null) {
    await transaction.update(deviceCode).set({ state: 'used' }).where(isThis)
    const { organizationId: organization, name, app } = found
    const machine = found.machine ?? undefined
    const device = { organization, name, credentialDigest, address, app, machine }
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
