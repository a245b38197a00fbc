// API keys for apps. Shown once; they stop working when their creator leaves the organization.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { createKey as newKey } from '../../access/secrets/secrets.ts'
import type { Actor } from '../../store/audit.ts'
import type { Key, KeyChoice } from '../../store/keys/key-rows.ts'
import { changeIn, ownOnly, takeEffect, type ConsoleContext } from '../console.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, modelName, name, object, page, tokensPerMonth } from '../routes/shapes.ts'

const route = routesOf('Keys')
const MAX_MODELS = 100

const limit = z.int().min(1).max(1_000_000_000)

const limits = z
  .strictObject({
    requestsPerMinute: limit.optional(),
    tokensPerMinute: limit.optional().describe('Prompt and completion tokens'),
    jobsAtOnce: limit.optional(),
    tokensPerMonth: tokensPerMonth.optional(),
  })
  .openapi('KeyLimits', { description: 'A missing field means no limit' })

const key = object('Key', {
  id,
  name: z.string(),
  hint: z.string().describe('The last characters of the key'),
  state: z.enum(['active', 'disabled', 'expired', 'revoked']),
  createdBy: z.object({ person: id, name: z.string() }),
  isYours: z.boolean(),
  createdAt: dateTime,
  expiresAt: dateTime.nullable(),
  lastUsedAt: dateTime.nullable(),
  models: z.array(z.string()).nullable().describe('The only models the key may use; null means all models'),
  limits,
  previous: z
    .object({ hint: z.string(), endsAt: dateTime })
    .nullable()
    .describe('The secret from before the last rotation, while it works'),
})

const expiresAt = dateTime.describe('When the key stops working')
const models = z.array(modelName).min(1).max(MAX_MODELS)
const withSecret = z.object({ key, secret: z.string() })

export const listKeys = route('get', '/organizations/{organization}/keys', {
  access: 'keys.read',
  summary: 'List your keys, a page at a time. Admins see all keys',
  request: {
    query: z.object({
      state: z.enum(['active', 'disabled', 'ended']).optional().describe('Ended keys are expired or revoked'),
      search: z.string().max(128).optional().describe('Words in the name, the hint or the creator'),
      sort: z.enum(['name', 'creator', 'created', 'used', 'expires']).default('created'),
      order: z.enum(['ascending', 'descending']).default('descending'),
      ...page,
    }),
  },
  responses: json(
    'A page of keys',
    z.object({
      keys: z.array(key),
      counts: z
        .object({ active: count, disabled: count, ended: count })
        .describe('All keys that match the search, by state'),
    }),
  ),
  async handle({ store }, context, { order, organization, ...question }) {
    const reach = { organization, ...ownOnly(context) }
    const { keys, counts } = await store.pageKeys({ ...reach, ...question, isDescending: order === 'descending' })
    return { keys: keys.map((one) => describeKey(one, context)), counts }
  },
})

export const readKey = route('get', '/organizations/{organization}/keys/{key}', {
  access: 'keys.read',
  summary: 'Get one key',
  responses: json('The key', key),
  async handle({ store }, context, input) {
    const found = await store.findKey(choiceOf(context, input))
    if (!found) throw notFound('key')
    return describeKey(found, context)
  },
})

export const createKey = route('post', '/organizations/{organization}/keys', {
  access: 'keys.create',
  summary: 'Create a key. Members and organizations can have a limited number of keys',
  request: body(
    z.strictObject({
      name,
      expiresAt: expiresAt.optional(),
      models: models.optional(),
      limits: limits.optional(),
    }),
  ),
  responses: json('The key, with its secret, which is shown only once', withSecret),
  async handle(parts, context, input) {
    const { key: secret, digest, hint } = newKey()
    const created = await parts.store.createKey({
      ...changeIn(context),
      createdBy: context.get('session').person.id,
      name: input.name,
      digest,
      hint,
      expiresAt: readMoment(input.expiresAt, 'expiresAt'),
      models: input.models && [...new Set(input.models)],
      limits: input.limits,
      quota: parts.keyQuota,
    })
    await takeEffect(parts)
    return { key: describeKey(created, context), secret }
  },
})

export const changeKey = route('patch', '/organizations/{organization}/keys/{key}', {
  access: 'keys.change',
  summary: 'Change a key. Requests with a disabled key get a 401 and its running streams end',
  request: body(
    z.strictObject({
      name: name.optional(),
      expiresAt: expiresAt.nullable().optional().describe('Null means never'),
      models: models.nullable().optional().describe('Null means all models'),
      limits: limits.optional().describe('Replaces all limits'),
      state: z.enum(['active', 'disabled']).optional(),
    }),
  ),
  responses: json('The key', key),
  async handle(parts, context, input) {
    const change = {
      name: input.name,
      expiresAt: input.expiresAt === null ? null : readMoment(input.expiresAt, 'expiresAt'),
      models: input.models && [...new Set(input.models)],
      limits: input.limits,
      isDisabled: input.state && input.state === 'disabled',
    }
    const changed = await parts.store.changeKey({ ...choiceOf(context, input), change, quota: parts.keyQuota })
    if (!changed) throw notFound('key')
    await takeEffect(parts)
    return describeKey(changed, context)
  },
})

export const rotateKey = route('post', '/organizations/{organization}/keys/{key}/rotate', {
  access: 'keys.change',
  summary: 'Give a key a new secret. The old one can keep working for a while',
  request: body(
    z.strictObject({
      oldWorksUntil: dateTime.optional().describe('Left out, the old secret stops now and its running streams end'),
    }),
  ),
  responses: json('The key, with its new secret, which is shown only once', withSecret),
  async handle(parts, context, input) {
    const { key: secret, digest, hint } = newKey()
    const previousEndsAt = readMoment(input.oldWorksUntil, 'oldWorksUntil')
    const rotated = await parts.store.rotateKey({ ...choiceOf(context, input), digest, hint, previousEndsAt })
    if (!rotated) throw notFound('key')
    await takeEffect(parts)
    return { key: describeKey(rotated, context), secret }
  },
})

export const endPreviousSecret = route('delete', '/organizations/{organization}/keys/{key}/previous', {
  access: 'keys.change',
  summary: 'Stop the secret from before the last rotation now',
  async handle(parts, context, input) {
    await settleChange(parts, 'old secret', await parts.store.endPreviousSecret(choiceOf(context, input)))
  },
})

export const revokeKey = route('delete', '/organizations/{organization}/keys/{key}', {
  access: 'keys.revoke',
  summary: 'Revoke a key. Its requests get a 401 and its running streams end',
  async handle(parts, context, input) {
    await settleChange(parts, 'key', await parts.store.revokeKey(choiceOf(context, input)))
  },
})

/** Members reach only the keys they created. */
function choiceOf(context: ConsoleContext, { key }: { key: string }): KeyChoice & { by: Actor } {
  return { ...changeIn(context), key, ...ownOnly(context) }
}

/** A moment in the future. */
function readMoment(moment: string | undefined, field: string): Date | undefined {
  if (moment === undefined) return undefined
  const at = new Date(moment)
  if (at.getTime() <= Date.now()) throw new ApiError('invalid_value', `Invalid '${field}': it is in the past.`, field)
  return at
}

function describeKey(row: Key, context: ConsoleContext, now = Date.now()) {
  const { createdBy, createdByName, previous } = row
  return {
    ...row,
    state: stateOf(row, now),
    createdBy: { person: createdBy, name: createdByName },
    isYours: createdBy === context.get('session').person.id,
    previous: previous && previous.endsAt.getTime() > now ? previous : null,
  }
}

type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

function stateOf({ revokedAt, expiresAt, disabledAt }: Key, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt.getTime() <= now) return 'expired'
  return disabledAt ? 'disabled' : 'active'
}
