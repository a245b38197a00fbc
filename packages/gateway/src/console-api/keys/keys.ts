import { createKey } from '../../access/secrets/secrets.ts'
import {
  changeIn,
  organizationOf,
  ownOnly,
  takeEffect,
  type ConsoleApp,
  type ConsoleParts,
  type ConsoleContext,
} from '../console.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import type { z } from '@hono/zod-openapi'
import type { Actor } from '../../store/audit.ts'
import type { KeyChange } from '../../store/keys/key-changes.ts'
import { ApiError } from '@hearth/chat'
import type { KeyChoice, Key } from '../../store/keys/key-rows.ts'
import * as routes from '../routes/keys.ts'
import { show } from '../routes/show.ts'

export function addKeys(app: ConsoleApp, parts: ConsoleParts): void {
  addKeyLists(app, parts)
  addNewKeys(app, parts)
  addSettings(app, parts)
  addSecrets(app, parts)
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
    const { key: secret, digest, hint } = createKey()
    const { person } = context.get('session')
    const key = await parts.store.createKey({
      ...changeIn(context),
      createdBy: person.id,
      name,
      digest,
      hint,
      expiresAt: readMoment(expiresAt, 'expiresAt'),
      models: models && [...new Set(models)],
      limits,
      quota: parts.keyQuota,
    })
    await takeEffect(parts)
    return context.json({ key: showKey(key, person.id), secret }, 200)
  })
}

function addSettings(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.changeKey, async (context) => {
    const change = readChange(context.req.valid('json'))
    const choice = choiceOf(context, context.req.valid('param'))
    const key = await store.changeKey({ ...choice, change, quota: parts.keyQuota })
    if (!key) throw notFound('key')
    await takeEffect(parts)
    return context.json(showKey(key, context.get('session').person.id), 200)
  })

  app.openapi(routes.revokeKey, async (context) => {
    const isDone = await store.revokeKey(choiceOf(context, context.req.valid('param')))
    return settleChange(parts, context, 'key', isDone)
  })
}

function addSecrets(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.rotateKey, async (context) => {
    const { oldWorksUntil } = context.req.valid('json')
    const { key: secret, digest, hint } = createKey()
    const key = await store.rotateKey({
      ...choiceOf(context, context.req.valid('param')),
      digest,
      hint,
      previousEndsAt: readMoment(oldWorksUntil, 'oldWorksUntil'),
    })
    if (!key) throw notFound('key')
    await takeEffect(parts)
    return context.json({ key: showKey(key, context.get('session').person.id), secret }, 200)
  })

  app.openapi(routes.endPreviousSecret, async (context) => {
    const isDone = await store.endPreviousSecret(choiceOf(context, context.req.valid('param')))
    return settleChange(parts, context, 'old secret', isDone)
  })
}

type WantedChange = z.infer<(typeof routes.changeKey)['request']['body']['content']['application/json']['schema']>

function readChange({ name, expiresAt, models, limits, state }: WantedChange): KeyChange {
  return {
    name,
    expiresAt: expiresAt === null ? null : readMoment(expiresAt, 'expiresAt'),
    models: models && [...new Set(models)],
    limits,
    isDisabled: state && state === 'disabled',
  }
}

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
