import type { WaitingJob } from '../../fleet/fleet.ts'
import { organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import type { PlaygroundKeys } from './playground-keys.ts'
import * as routes from '../routes/playground.ts'
import { show } from '../routes/show.ts'

/** The playground shows this while a request waits. */
export function addWaitingRequests(app: ConsoleApp, { store, book, fleet }: ConsoleParts, keys: PlaygroundKeys): void {
  app.openapi(routes.listWaitingRequests, async (context) => {
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
  return show(routes.waitingRequest, {
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
