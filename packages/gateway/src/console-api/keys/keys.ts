import { createKey } from '../../access/secrets/secrets.ts'
import { actorOf, organizationOf, ownOnly, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/keys.ts'
import { addKeyChanges } from './key-changes.ts'
import { choiceOf, dropAbsent, requireFuture } from './read-key.ts'
import { showKey } from './show-key.ts'

export function addKeys(app: ConsoleApp, parts: ConsoleParts): void {
  addKeyLists(app, parts)
  addNewKeys(app, parts)
  addKeyChanges(app, parts)
}

function addKeyLists(app: ConsoleApp, { store }: ConsoleParts): void {
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
