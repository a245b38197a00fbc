// Keeps the page up to date: the gateway announces which kinds of data changed, and the console fetches them again. Only visible tabs
// listen, because browsers limit the connections to one host. A tab that becomes visible again fetches everything.

import { useEffect } from 'react'
import { isChange, refetchEverything, refetchMe } from './changes.ts'
import { api, isDatabaseUnavailable, send } from './client.ts'
import { connection } from './connection.ts'
import { batchChanges } from './batch-changes.ts'

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15_000

export function useLiveUpdates(organization: string): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    const follow = () => {
      stop?.()
      stop = document.hidden ? undefined : listen(organization)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stop?.()
    }
  }, [organization])
}

/** Returns how to stop. */
function listen(organization: string): () => void {
  const address = `/api/v1/organizations/${encodeURIComponent(organization)}/events`
  const batch = batchChanges(organization)
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = FIRST_RETRY_MS
  let source = open()

  function open(): EventSource {
    const opened = new EventSource(address)
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => isChange(data) && batch.add(data))
    opened.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS
      connection.set('open')
      // Changes before this moment were missed.
      void refetchEverything()
    })
    opened.addEventListener('error', retry)
    return opened
  }

  // The browser's own reconnect gives up on some responses and does not back off.
  function retry(): void {
    source.close()
    if (connection.get() !== 'without-database') connection.set('lost')
    void findReason()
    void refetchMe()
    timer = setTimeout(() => (source = open()), retryMs * (0.5 + Math.random() / 2))
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  // An event source does not tell why it failed.
  async function findReason(): Promise<void> {
    const current = source
    const error: unknown = await send(api.GET('/me')).catch((failure: unknown) => failure)
    if (source === current && connection.get() !== 'open')
      connection.set(isDatabaseUnavailable(error) ? 'without-database' : 'lost')
  }

  return () => {
    clearTimeout(timer)
    batch.stop()
    source.close()
  }
}
