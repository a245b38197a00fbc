import { describe, expect, it } from 'vitest'
import type { ChangeKind } from '../store/store.ts'
import { ChangeFeed, type LiveKind } from './change-feed.ts'

const NEVER_MS = 1_000_000

function createFeed() {
  const revisions: { organization: string; kind: ChangeKind; value: number }[] = []
  const feed = new ChangeFeed({
    store: { organizationRevisions: async () => revisions },
    scheduler: { core: { stats: () => ({ served: [], queues: [] }) } } as never,
    pollMs: NEVER_MS,
    onError: (error) => expect.unreachable(String(error)),
  })
  const heard: LiveKind[] = []
  feed.listen('acme', (kind) => heard.push(kind))
  return { feed, revisions, heard }
}

describe('the change feed', () => {
  it('[Q10] says nothing of what was there before somebody listened', async () => {
    const { feed, revisions, heard } = createFeed()
    revisions.push({ organization: 'acme', kind: 'keys', value: 7 })
    await feed.look()
    await feed.look()
    expect(heard).toStrictEqual([])
  })

  it('[Q10] tells the very first change of a kind, and each one after it once', async () => {
    const { feed, revisions, heard } = createFeed()
    await feed.look()
    revisions.push({ organization: 'acme', kind: 'models', value: 1 })
    await feed.look()
    await feed.look()
    revisions[0]!.value = 2
    await feed.look()
    expect(heard).toStrictEqual(['models', 'models'])
  })
})
