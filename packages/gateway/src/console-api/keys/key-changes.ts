// Changes of a key that exists: its settings, its secret, its end.

import type { z } from '@hono/zod-openapi'
import { createKey } from '../../access/secrets/secrets.ts'
import type { KeyChange } from '../../store/keys/key-changes.ts'
import { actorOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/keys.ts'
import { choiceOf, dropAbsent, requireFuture } from './read-key.ts'
import { showKey } from './show-key.ts'

export function addKeyChanges(app: ConsoleApp, parts: ConsoleParts): void {
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
