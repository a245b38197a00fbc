import type { Session } from '../../access/accounts/accounts.ts'
import { KEEP_EXPIRED_MS } from '../../access/sweeps.ts'
import { createKey } from '../../access/secrets/secrets.ts'
import { organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/keys.ts'
import { PlaygroundKeys, type PlaygroundKey } from './playground-keys.ts'
import { addWaitingRequests } from './waiting-requests.ts'

const PLAYGROUND_MS = 3_600_000
/** Each new key removes more than one expired key, so that they never pile up. */
const REMOVED_AT_ONCE = 20

export function addPlayground(app: ConsoleApp, parts: ConsoleParts): void {
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
