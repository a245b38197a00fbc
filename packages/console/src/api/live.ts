// Keeps the page up to date: the gateway announces which kinds of data changed, and the console fetches them again. Only visible tabs
// listen, because browsers limit the connections to one host. A tab that becomes visible again fetches everything.

import { useEffect, useSyncExternalStore } from 'react'
import { api, isDatabaseSilent, send } from './client.ts'
import { isChange, readAgain, readEverythingAgain, readMeAgain, type Change } from './changes.ts'

/** Changes come in bursts. They are fetched together, at most this often. */
const GATHER_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15_000

type Connection = 'connecting' | 'open' | 'lost' | 'without-database'

let connection: Connection = 'connecting'
const watchers = new Set<() => void>()

/** 'lost' once the gateway stops responding, 'without-database' once its database does. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => connection,
  )
}

function setConnection(next: Connection): void {
  connection = next
  for (const watcher of watchers) watcher()
}

export function useLiveUpdates(organization: string): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    const follow = () => {
      stop?.()
      stop = document.hidden ? undefined : followEvents(organization)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stop?.()
    }
  }, [organization])
}

function followEvents(organization: string): () => void {
  const gather = gatherChanges(organization)
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = FIRST_RETRY_MS

  function open(): void {
    source = new EventSource(`/api/v1/organizations/${encodeURIComponent(organization)}/events`)
    source.addEventListener('message', ({ data }: MessageEvent<string>) => isChange(data) && gather.add(data))
    source.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS
      setConnection('open')
      // Changes before this moment were missed.
      void readEverythingAgain()
    })
    source.addEventListener('error', retry)
  }

  // The browser's own reconnect gives up on some responses and does not back off.
  function retry(): void {
    source.close()
    if (connection !== 'without-database') setConnection('lost')
    void findReason()
    void readMeAgain()
    timer = setTimeout(open, retryMs * (0.5 + Math.random() / 2))
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  // An event source does not tell why it failed.
  async function findReason(): Promise<void> {
    const current = source
    const error: unknown = await send(api.GET('/me')).catch((failure: unknown) => failure)
    if (source === current && connection !== 'open')
      setConnection(isDatabaseSilent(error) ? 'without-database' : 'lost')
  }

  open()
  return () => {
    clearTimeout(timer)
    gather.stop()
    source.close()
  }
}

function gatherChanges(organization: string) {
  const changes = new Set<Change>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false

  async function flush(): Promise<void> {
    timer = undefined
    isReading = true
    const read = readAgain(organization, [...changes])
    changes.clear()
    await read
    isReading = false
    schedule()
  }

  // Large lists take a while to fetch, so fetches run one after another.
  function schedule(): void {
    if (changes.size > 0 && timer === undefined && !isReading) timer = setTimeout(() => void flush(), GATHER_MS)
  }

  return {
    add(change: Change) {
      changes.add(change)
      schedule()
    },
    stop: () => clearTimeout(timer),
  }
}
