import type { Session } from '../access/accounts.ts'
import { createKey } from '../access/keys.ts'
import { KEEP_EXPIRED_MS } from '../access/playground-sweep.ts'
import { ApiError } from '../errors.ts'
import type { Key, KeyLimits } from '../store/store.ts'
import { actorOf, organizationOf, ownOnly, takeEffect, type ConsoleApp, type ConsoleParts } from './console.ts'
import * as routes from './routes/keys.ts'
import { notFound } from './guard.ts'
import { stateOf } from './key-state.ts'
import { PlaygroundKeys, type PlaygroundKey } from './playground-keys.ts'

const PLAYGROUND_MS = 3_600_000
/** Each new key removes more than one expired key, so that they never pile up. */
const REMOVED_AT_ONCE = 20

export function addKeys(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listKeys, async (context) => {
    const keys = await store.listKeys(organizationOf(context), ownOnly(context))
    const { person } = context.get('session')
    return context.json({ keys: keys.toReversed().map((key) => showKey(key, person.id)) }, 200)
  })

  app.openapi(routes.createKey, async (context) => {
    const { name, expiresAt, models, limits } = context.req.valid('json')
    if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now())
      throw new ApiError('invalid_value', "Invalid 'expiresAt': it is in the past.", 'expiresAt')
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

  app.openapi(routes.revokeKey, async (context) => {
    const { key } = context.req.valid('param')
    const input = { organization: organizationOf(context), key, ...ownOnly(context), by: actorOf(context) }
    if (!(await store.revokeKey(input))) throw notFound('key')
    await takeEffect(parts)
    return context.body(null, 204)
  })

  const playground = new PlaygroundKeys(parts.book)
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

function showKey(key: Key, reader: string) {
  const { id, name, hint, createdBy, createdByName, createdAt, expiresAt, lastUsedAt, models, limits } = key
  return {
    id,
    name,
    hint,
    state: stateOf(key),
    createdBy: { person: createdBy, name: createdByName },
    isYours: createdBy === reader,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    models: models ?? null,
    limits,
  }
}

function dropAbsent(limits: { [Name in keyof KeyLimits]: KeyLimits[Name] | undefined }): KeyLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
