import { createKey } from '../../access/secrets/secrets.ts'
import {
  actorOf,
  organizationOf,
  ownOnly,
  takeEffect,
  type ConsoleApp,
  type ConsoleParts,
  type ConsoleContext,
} from '../console.ts'
import { notFound } from '../guard/guard.ts'
import type { z } from '@hono/zod-openapi'
import type { KeyChange } from '../../store/keys/key-changes.ts'
import { ApiError } from '@hearth/chat'
import type { KeyChoice, KeyLimits, Key } from '../../store/keys/key-rows.ts'
import * as routes from '../routes/keys.ts'
import { show } from '../routes/show.ts'

export function addKeys(app: ConsoleApp, parts: ConsoleParts): void {
  addKeyLists(app, parts)
  addNewKeys(app, parts)
  addKeyChanges(app, parts)
}

function addKeyLists(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listKeys, async (context) => {
    const { order, ...question } = context.req.valid('query')
    const { keys, counts } = await store.pageKeys({
      organization: organizationOf(context),
      ...ownOnly(context),
      ...question,
      isDescending: order === 'descending',
    })
    const { person } = context.get('session')
    return context.json({ keys: keys.map((key) => showKey(key, person.id)), counts }, 200)
  })

  app.openapi(routes.readKey, async (context) => {
    const key = await store.findKey(choiceOf(context, context.req.valid('param')))
    if (!key) throw notFound('key')
    return context.json(showKey(key, context.get('session').person.id), 200)
  })
}

function addNewKeys(app: ConsoleApp, parts: ConsoleParts): void {
  app.openapi(routes.createKey, async (context) => {
    const { name, expiresAt, models, limits } = context.req.valid('json')
    requireFuture(expiresAt, 'expiresAt')
    const { key: secret, digest, hint } = createKey()
    const { person } = context.get('session')
    const key = await parts.store.createKey({
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
}

// Changes of a key that exists: its settings, its secret, its end.
function addKeyChanges(app: ConsoleApp, parts: ConsoleParts): void {
  addSettings(app, parts)
  addSecrets(app, parts)
}

function addSettings(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.changeKey, async (context) => {
    const change = readChange(context.req.valid('json'))
    const choice = choiceOf(context, context.req.valid('param'))
    const key = await store.changeKey({ ...choice, change, quota: parts.keyQuota, by: actorOf(context) })
    if (!key) throw notFound('key')
    await takeEffect(parts)
    return context.json(showKey(key, context.get('session').person.id), 200)
  })

  app.openapi(routes.revokeKey, async (context) => {
    const choice = choiceOf(context, context.req.valid('param'))
    if (!(await store.revokeKey({ ...choice, by: actorOf(context) }))) throw notFound('key')
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

function addSecrets(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

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

/** Members reach only the keys they created. */
function choiceOf(context: ConsoleContext, { key }: { key: string }): KeyChoice {
  return { organization: organizationOf(context), key, ...ownOnly(context) }
}

function requireFuture(moment: string | null | undefined, field: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now())
    throw new ApiError('invalid_value', `Invalid '${field}': it is in the past.`, field)
}

function dropAbsent(limits: { [Name in keyof KeyLimits]: KeyLimits[Name] | undefined }): KeyLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

function showKey(key: Key, reader: string, now = Date.now()) {
  const { createdBy, createdByName, previous } = key
  return show(routes.key, {
    ...key,
    state: stateOf(key, now),
    createdBy: { person: createdBy, name: createdByName },
    isYours: createdBy === reader,
    previous: previous && previous.endsAt.getTime() > now ? previous : null,
  })
}

type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

function stateOf({ revokedAt, expiresAt, disabledAt }: Key, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt.getTime() <= now) return 'expired'
  return disabledAt ? 'disabled' : 'active'
}
