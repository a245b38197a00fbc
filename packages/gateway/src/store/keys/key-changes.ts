// Changes of a key that exists: its settings, its secret, its end.

import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordChange, type By, type Change } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Handle } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { lockOrganization } from '../people/organization-rows.ts'
import { apiKey } from '../tables/keys.ts'
import { checkQuota, type KeyQuota } from './key-quota.ts'
import {
  describeKey,
  isChosen,
  limitColumns,
  selectKeys,
  toKey,
  type Key,
  type KeyChoice,
  type WantedLimits,
} from './key-rows.ts'

export const keyChangeQueries = inTransaction({ revokeKey, changeKey, rotateKey, endPreviousSecret })

/** Fields that are undefined stay as they are. */
export interface KeyChange {
  name?: string | undefined
  /** Null means never. */
  expiresAt?: Date | null | undefined
  /** Null means all models. */
  models?: string[] | null | undefined
  /** Replaces all limits. */
  limits?: WantedLimits | undefined
  isDisabled?: boolean | undefined
}

interface NewSecret {
  digest: string
  hint: string
  previousEndsAt?: Date | undefined
}

/** False if the key does not exist or was revoked before. */
async function revokeKey(transaction: Handle, { by, ...choice }: KeyChoice & By): Promise<boolean> {
  const key = await lockKey(transaction, choice)
  if (!key) return false
  await update(transaction, key, { revokedAt: sql`now()` })
  await record(transaction, 'key.revoke', key, by, { before: { hint: key.hint } })
  return true
}

/** Undefined if the key does not exist or was revoked. Fails with `limit` if an expired key would work again beyond the quota. */
async function changeKey(
  transaction: Handle,
  { by, change, quota, ...choice }: KeyChoice & By & { change: KeyChange; quota?: KeyQuota },
): Promise<Key | undefined> {
  // The same order as when a key is created: first the organization, then the key.
  if (quota && change.expiresAt !== undefined) await lockOrganization(transaction, choice.organization)
  const before = await lockKey(transaction, choice)
  if (!before) return undefined
  if (quota && isOver(before) && change.expiresAt !== undefined) await checkQuota(transaction, before, quota)
  await update(transaction, before, toColumns(change, before))
  const after = await readKey(transaction, choice)
  const [was, is] = [describe(before), describe(after)]
  if (JSON.stringify(was) !== JSON.stringify(is))
    await record(transaction, actionOf(before, after), after, by, { before: was, after: is })
  return after
}

/** Gives the key a new secret. The previous one works until `previousEndsAt`, if that is set; earlier ones stop at once. */
async function rotateKey(
  transaction: Handle,
  { by, digest, hint, previousEndsAt, ...choice }: KeyChoice & By & NewSecret,
): Promise<Key | undefined> {
  const before = await lockKey(transaction, choice)
  if (!before) return undefined
  const previous = previousEndsAt
    ? { previousDigest: sql`${apiKey.digest}`, previousHint: before.hint, previousEndsAt }
    : NO_PREVIOUS
  await update(transaction, before, { digest, hint, ...previous })
  const after = await readKey(transaction, choice)
  await record(transaction, 'key.rotate', after, by, {
    before: { hint: before.hint },
    after: { hint, ...(previousEndsAt && { previousEndsAt: previousEndsAt.toISOString() }) },
  })
  return after
}

/** Ends the secret from before the last rotation. False if there is none that works. */
async function endPreviousSecret(transaction: Handle, { by, ...choice }: KeyChoice & By): Promise<boolean> {
  const key = await lockKey(transaction, choice)
  if (!key?.previous || key.previous.endsAt.getTime() <= Date.now()) return false
  await update(transaction, key, NO_PREVIOUS)
  await record(transaction, 'key.end-previous', key, by, { before: { hint: key.previous.hint } })
  return true
}

const NO_PREVIOUS = { previousDigest: null, previousHint: null, previousEndsAt: null }

/** Locks a key that was not revoked, so that two changes of it come one after the other. */
async function lockKey(transaction: Handle, choice: KeyChoice): Promise<Key | undefined> {
  const held = await transaction
    .select({ id: apiKey.id })
    .from(apiKey)
    .where(and(isChosen(choice), isNull(apiKey.revokedAt)))
    .for('update')
  return held.length === 0 ? undefined : readKey(transaction, choice)
}

async function readKey(transaction: Handle, choice: KeyChoice): Promise<Key> {
  return toKey(onlyRow(await selectKeys(transaction).where(isChosen(choice))))
}

type Columns = Parameters<ReturnType<Handle['update']>['set']>[0]

async function update(transaction: Handle, { id }: Key, columns: Columns): Promise<void> {
  if (Object.values(columns).some((value) => value !== undefined))
    await transaction.update(apiKey).set(columns).where(eq(apiKey.id, id))
}

function toColumns({ name, expiresAt, models, limits, isDisabled }: KeyChange, before: Key): Columns {
  return {
    name,
    expiresAt,
    models,
    ...(limits && limitColumns(limits)),
    // The moment stays the same if it is disabled already.
    ...(isDisabled !== undefined &&
      isDisabled !== (before.disabledAt !== undefined) && { disabledAt: isDisabled ? sql`now()` : null }),
  }
}

function isOver({ expiresAt }: Key): boolean {
  return expiresAt !== undefined && expiresAt.getTime() <= Date.now()
}

function actionOf(before: Key, after: Key) {
  if (Boolean(before.disabledAt) === Boolean(after.disabledAt)) return 'key.change'
  return after.disabledAt ? 'key.disable' : 'key.enable'
}

function describe(key: Key) {
  return { name: key.name, state: key.disabledAt ? 'disabled' : 'active', ...describeKey(key) }
}

function record(
  transaction: Handle,
  action: Change['action'],
  { organization, id, name }: Key,
  by: By['by'],
  fields: Pick<Change, 'before' | 'after'>,
): Promise<void> {
  return recordChange(transaction, { organization, by, action, id, name, ...fields })
}
