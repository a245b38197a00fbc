import type { z } from '@hono/zod-openapi'
import type { Session } from '../../access/accounts/accounts.ts'
import { createKey } from '../../access/secrets/secrets.ts'
import { KEEP_EXPIRED_MS } from '../../access/playground-sweep.ts'
import { ApiError } from '../../errors.ts'
import type { KeyChange } from '../../store/keys/key-changes.ts'
import type { Key, KeyChoice, KeyLimits } from '../../store/keys/key-rows.ts'
import {
  actorOf,
  organizationOf,
  ownOnly,
  takeEffect,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleParts,
} from '../console.ts'
import * as routes from '../routes/keys.ts'
import { notFound } from '../guard/guard.ts'
import { stateOf } from './key-state.ts'
import { PlaygroundKeys, type PlaygroundKey } from './playground-keys.ts'
import { addWaitingRequests } from './waiting-requests.ts'

const PLAYGROUND_MS = 3_600_000
/** Each new key removes more than one expired key, so that they never pile up. */
const REMOVED_AT_ONCE = 20

export function addKeys(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listKeys, async (context) => {
    const { state, search, sort, order, offset, limit } = context.req.valid('query')
    const { keys, counts } = await store.pageKeys({
      organization: organizationOf(context),
      ...ownOnly(context),
      ...(state && { state }),
      ...(search !== undefined && { search }),
      sort,
      isDescending: order === 'descending',
      offset,
      limit,
    })
    const { person } = context.get('session')
    return context.json({ keys: keys.map((key) => showKey(key, person.id)), counts }, 200)
  })

  app.openapi(routes.readKey, async (context) => {
    const key = await store.findKey(choiceOf(context, context.req.valid('param')))
    if (!key) throw notFound('key')
    return context.json(showKey(key, context.get('session').person.id), 200)
  })

  app.openapi(routes.createKey, async (context) => {
    const { name, expiresAt, models, limits } = context.req.valid('json')
    requireFuture(expiresAt, 'expiresAt')
    const { key: secret, digest, hint } = createKey()
    const { person } = context.get('session')
    const key = await store.createKey({
      organization: organizationOf(context),
      createdBy: person.id,
      name,
      digest,
      hint,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      ...(models && { models: [...new Set(models)] }),
      ...(limits && { limits: dropAbsent(limits) }),
      quota: parts.keyQuota,
      by: actorOf(context),
    })
    await takeEffect(parts)
    return context.json({ key: showKey(key, person.id), secret }, 200)
  })

  app.openapi(routes.changeKey, async (context) => {
    const change = readChange(context.req.valid('json'))
    const choice = choiceOf(context, context.req.valid('param'))
    const key = await store.changeKey({ ...choice, change, quota: parts.keyQuota, by: actorOf(context) })
    if (!key) throw notFound('key')
    await takeEffect(parts)
    return context.json(showKey(key, context.get('session').person.id), 200)
  })

  app.openapi(routes.rotateKey, async (context) => {
    const { oldWorksUntil } = context.req.valid('json')
    requireFuture(oldWorksUntil, 'oldWorksUntil')
    const { key: secret, digest, hint } = createKey()
    const key = await store.rotateKey({
      ...choiceOf(context, context.req.valid('param')),
      digest,
      hint,
      ...(oldWorksUntil !== undefined && { previousEndsAt: new Date(oldWorksUntil) }),
      by: actorOf(context),
    })
    if (!key) throw notFound('key')
    await takeEffect(parts)
    return context.json({ key: showKey(key, context.get('session').person.id), secret }, 200)
  })

  app.openapi(routes.endPreviousSecret, async (context) => {
    const choice = choiceOf(context, context.req.valid('param'))
    if (!(await store.endPreviousSecret({ ...choice, by: actorOf(context) }))) throw notFound('old secret')
    await takeEffect(parts)
    return context.body(null, 204)
  })

  app.openapi(routes.revokeKey, async (context) => {
    const choice = choiceOf(context, context.req.valid('param'))
    if (!(await store.revokeKey({ ...choice, by: actorOf(context) }))) throw notFound('key')
    await takeEffect(parts)
    return context.body(null, 204)
  })

  const playground = new PlaygroundKeys(parts.book)
  addWaitingRequests(app, parts, playground)
  app.openapi(routes.createPlaygroundKey, async (context) => {
    const session = context.get('session')
    const organization = organizationOf(context)
    const key = playground.find(session.id, organization) ?? (await createPlaygroundKey(parts, organization, session))
    playground.keep(session.id, organization, key)
    return context.json({ secret: key.secret, expiresAt: key.expiresAt.toISOString() }, 200)
  })
}

async function createPlaygroundKey(
  parts: ConsoleParts,
  organization: string,
  session: Session,
): Promise<PlaygroundKey> {
  const { store } = parts
  const { key: secret, digest, hint } = createKey()
  const createdBy = session.person.id
  const expiresAt = new Date(Math.min(Date.now() + PLAYGROUND_MS, session.expiresAt.getTime()))
  const expiredBefore = new Date(Date.now() - KEEP_EXPIRED_MS)
  await store.removePlaygroundKeys({ expiredBefore, limit: REMOVED_AT_ONCE, createdBy })
  await store.createKey({ organization, createdBy, name: 'Playground', digest, hint, expiresAt, session: session.id })
  await takeEffect(parts)
  return { secret, digest, expiresAt }
}

/** Members reach only the keys they created. */
function choiceOf(context: ConsoleContext, { key }: { key: string }): KeyChoice {
  return { organization: organizationOf(context), key, ...ownOnly(context) }
}

function requireFuture(moment: string | null | undefined, field: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now())
    throw new ApiError('invalid_value', `Invalid '${field}': it is in the past.`, field)
}

type WantedChange = z.infer<(typeof routes.changeKey)['request']['body']['content']['application/json']['schema']>

function readChange({ name, expiresAt, models, limits, state }: WantedChange): KeyChange {
  requireFuture(expiresAt, 'expiresAt')
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(models !== undefined && { models: models && [...new Set(models)] }),
    ...(limits && { limits: dropAbsent(limits) }),
    ...(state && { isDisabled: state === 'disabled' }),
  }
}

function showKey(key: Key, reader: string, now = Date.now()) {
  const { id, name, hint, createdBy, createdByName, createdAt, expiresAt, lastUsedAt, models, limits, previous } = key
  return {
    id,
    name,
    hint,
    state: stateOf(key, now),
    createdBy: { person: createdBy, name: createdByName },
    isYours: createdBy === reader,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    models: models ?? null,
    limits,
    previous: showPrevious(previous, now),
  }
}

function showPrevious(previous: Key['previous'], now: number) {
  if (!previous || previous.endsAt.getTime() <= now) return null
  return { hint: previous.hint, endsAt: previous.endsAt.toISOString() }
}

function dropAbsent(limits: { [Name in keyof KeyLimits]: KeyLimits[Name] | undefined }): KeyLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
