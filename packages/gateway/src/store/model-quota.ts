// How many models an organization may have. Every gateway keeps all of them in memory, removed ones too: their requests get another error.

import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { Handle } from './database/database.ts'
import { holdOrganization } from './people/member-rows.ts'
import { overQuota } from './quota.ts'
import { model } from './tables/models.ts'

/** Removed models that stay known, per organization. Requests for older ones get the error of an unknown model. */
const KEPT = 100

/** Call it before a model is added. It locks the organization: two must not take the last place. */
export async function makeRoomForModel(transaction: Handle, organization: string, most = Infinity): Promise<void> {
  await holdOrganization(transaction, organization)
  await forgetRemoved(transaction, organization)
  const isListed = and(eq(model.organizationId, organization), ne(model.state, 'removed'))
  const taken = await transaction.$count(model, isListed)
  if (taken < most) return
  throw overQuota({
    change: 'add the model',
    who: 'the organization',
    count: taken,
    most,
    things: 'models',
    remedy: 'Remove models that are no longer used',
    setting: 'MODELS_PER_ORGANIZATION',
  })
}

async function forgetRemoved(transaction: Handle, organization: string): Promise<void> {
  const isRemoved = and(eq(model.organizationId, organization), eq(model.state, 'removed'))
  const old = transaction
    .select({ name: model.name })
    .from(model)
    .where(isRemoved)
    .orderBy(desc(model.createdAt), desc(model.name))
    .offset(KEPT)
  await transaction.delete(model).where(and(isRemoved, inArray(model.name, old)))
}
