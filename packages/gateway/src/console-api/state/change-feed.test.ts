import { describe, expect, it } from 'vitest'
import type { FleetChange } from '../../fleet/fleet.ts'
import type { ChangeKind } from '../../store/tables/audit.ts'
import { ChangeFeed, type LiveKind } from './change-feed.ts'

const NEVER_MS = 1_000_000

function createFeed() {
  const revisions: { organization: string; kind: ChangeKind; value: number }[] = []
  const fleet = new Map<string, (change: FleetChange) => void>()
  const state = { isStoreSilent: false }
  const feed = new ChangeFeed({
    store: { organizationRevisions: async () => revisions },
    fleet: {
      onChange: (organization, listener) => {
        fleet.set(organization, listener)
        return () => fleet.delete(organization)
      },
    },
    isStoreSilent: () => state.isStoreSilent,
    pollMs: NEVER_MS,
    onError: (error) => expect.unreachable(String(error)),
  })
  const heard: (LiveKind | 'silence')[] = []
  const stop = feed.listen('acme', (kind) => heard.push(kind))
  return { feed, revisions, fleet, heard, state, stop }
}

describe('the change feed', () => {
  it('does not announce changes from before someone listened', async () => {
    const { feed, revisions, heard } = createFeed()
    revisions.push({ organization: 'acme', kind: 'keys', value: 7 })
    await feed.look()
    await feed.look()
    expect(heard).toStrictEqual([])
  })

  it('announces the first change of a kind, and each later one once', async () => {
    const { feed, revisions, heard } = createFeed()
    await feed.look()
    revisions.push({ organization: 'acme', kind: 'models', value: 1 })
    await feed.look()
    await feed.look()
    revisions[0]!.value = 2
    await feed.look()
    expect(heard).toStrictEqual(['models', 'models'])
  })

  it('tells everyone when the store is silent', () => {
    const { feed, heard, state } = createFeed()
    feed.tick()
    expect(heard).toStrictEqual([])
    state.isStoreSilent = true
    feed.tick()
    expect(heard).toStrictEqual(['silence'])
  })

  it('passes on changes of devices, and leaves the fleet alone when nobody listens', () => {
    const { fleet, heard, stop } = createFeed()
    fleet.get('acme')!('devices')
    expect(heard).toStrictEqual(['devices'])
    stop()
    expect(fleet.size).toBe(0)
  })
})
