import type { Session } from '../../access/accounts/accounts.ts'
import { KEEP_EXPIRED_MS } from '../../access/sweeps.ts'
import { createKey } from '../../access/secrets/secrets.ts'
import type { WaitingJob } from '../../fleet/fleet.ts'
import { organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/keys.ts'
import { listWaitingRequests, waitingRequest } from '../routes/playground.ts'
import { show } from '../routes/show.ts'
import { PlaygroundKeys, type PlaygroundKey } from './playground-keys.ts'

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

/** The playground shows this while a request waits. */
function addWaitingRequests(app: ConsoleApp, { store, book, fleet }: ConsoleParts, keys: PlaygroundKeys): void {
  app.openapi(listWaitingRequests, async (context) => {
    const organization = organizationOf(context)
    const digest = keys.digestOf(context.get('session').id, organization)
    const key = digest === undefined ? undefined : book.caller(digest)?.key
    const jobs = key === undefined ? [] : await fleet.waiting(key)
    if (jobs.length === 0) return context.json({ requests: [] }, 200)
    const devices = await store.listDevices(organization)
    const names = new Map(devices.map(({ id, name }) => [id, name]))
    return context.json({ requests: jobs.map((job) => showWaiting(job, names)) }, 200)
  })
}

function showWaiting({ model, device, progress, place, firstEventMs }: WaitingJob, names: ReadonlyMap<string, string>) {
  return show(waitingRequest, {
    ...(progress?.phase === 'prompt' && { done: progress.done, total: progress.total }),
    model,
    state: stateOf(device, progress),
    device: (device !== undefined && names.get(device)) || null,
    place,
    expectedMs: firstEventMs === undefined ? null : Math.round(firstEventMs),
  })
}

type State = 'starting' | NonNullable<WaitingJob['progress']>['phase']

/** A device may queue a job that it has accepted, for a moment. */
function stateOf(device: WaitingJob['device'], progress: WaitingJob['progress']): State {
  if (device === undefined) return 'queued'
  const phase = progress?.phase ?? 'queued'
  return phase === 'queued' ? 'starting' : phase
}
