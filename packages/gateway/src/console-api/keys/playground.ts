// The playground: its key, and what is known about requests that wait.

import { z } from '@hono/zod-openapi'
import type { Session } from '../../access/accounts/accounts.ts'
import { createKey } from '../../access/secrets/secrets.ts'
import { KEEP_EXPIRED_MS } from '../../access/sweeps.ts'
import type { WaitingJob } from '../../fleet/fleet.ts'
import { organizationOf, takeEffect, type ConsoleParts } from '../console.ts'
import { json, routesOf } from '../routes/route.ts'
import { count, dateTime, object } from '../routes/shapes.ts'
import type { PlaygroundKey } from '../state/playground-keys.ts'

const keyRoute = routesOf('Keys')
const route = routesOf('Playground')

const PLAYGROUND_MS = 3_600_000
/** Each new key removes more than one expired key, so that they never pile up. */
const REMOVED_AT_ONCE = 20

export const createPlaygroundKey = keyRoute('post', '/organizations/{organization}/playground-key', {
  access: 'playground.use',
  summary:
    'Get your key for the playground. It is not listed, and ends with your session, after an hour at most. Asking again in the same session gives the same key',
  responses: json('The key', z.object({ secret: z.string(), expiresAt: dateTime })),
  async handle(parts, context) {
    const session = context.get('session')
    const organization = organizationOf(context)
    const known = parts.playground.find(session.id, organization)
    const key = known ?? (await makeKey(parts, organization, session))
    parts.playground.keep(session.id, organization, key)
    return key
  },
})

const waitingRequest = object('WaitingRequest', {
  model: z.string(),
  state: z
    .enum(['queued', 'starting', 'loading', 'prompt', 'reasoning', 'searching'])
    .describe(
      'queued: no device has accepted it yet. loading: the device loads the model. prompt: the device reads the prompt',
    ),
  device: z.string().nullable().describe('The name of the device that accepted it'),
  done: count.nullable().describe('Tokens of the prompt that the device has read'),
  total: count.nullable().describe('Tokens of the prompt'),
  place: count.nullable().describe('Its place in line: 1 is next. Null once it has a device'),
  expectedMs: count
    .nullable()
    .describe('How long it is expected to take until the first token. Null while nothing like it was measured'),
})

export const listWaitingRequests = route('get', '/organizations/{organization}/playground-requests', {
  access: 'playground.use',
  summary: 'List the requests of your playground key that have no text yet, oldest first, and what they wait for',
  responses: json('The requests', z.object({ requests: z.array(waitingRequest) })),
  async handle({ store, book, fleet, playground }, context) {
    const organization = organizationOf(context)
    const digest = playground.digestOf(context.get('session').id, organization)
    const key = digest === undefined ? undefined : book.caller(digest)?.key
    const jobs = key === undefined ? [] : await fleet.waiting(key)
    if (jobs.length === 0) return { requests: [] }
    const devices = await store.listDevices(organization)
    const names = new Map(devices.map((device) => [device.id, device.name]))
    return { requests: jobs.map((job) => describeWaiting(job, names)) }
  },
})

async function makeKey(parts: ConsoleParts, organization: string, session: Session): Promise<PlaygroundKey> {
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

function describeWaiting(
  { model, device, progress, place, firstEventMs }: WaitingJob,
  names: ReadonlyMap<string, string>,
) {
  return {
    ...(progress?.phase === 'prompt' && { done: progress.done, total: progress.total }),
    model,
    state: stateOf(device, progress),
    device: (device !== undefined && names.get(device)) || null,
    place,
    expectedMs: firstEventMs === undefined ? null : Math.round(firstEventMs),
  }
}

type State = 'starting' | NonNullable<WaitingJob['progress']>['phase']

/** A device may queue a job that it has accepted, for a moment. */
function stateOf(device: WaitingJob['device'], progress: WaitingJob['progress']): State {
  if (device === undefined) return 'queued'
  const phase = progress?.phase ?? 'queued'
  return phase === 'queued' ? 'starting' : phase
}
