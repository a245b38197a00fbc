// Keeps the page up to date: the gateway announces which kinds of data changed, and the console fetches them again. Only visible tabs
// listen, because browsers limit the connections to one host. A tab that becomes visible again fetches everything.

import { useEffect } from 'react'
import { isChange, readEverythingAgain, readMeAgain, readAgain, type Change } from './changes.ts'
import { api, isDatabaseSilent, send } from './client.ts'
import { connection } from './connection.ts'

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15_000

export function useLiveUpdates(organization: string): void {
  useEffect(() => {
    let updates: LiveUpdates | undefined
    const follow = () => {
      updates?.stop()
      updates = document.hidden ? undefined : new LiveUpdates(organization)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      updates?.stop()
    }
  }, [organization])
}

/** Listens from its creation until `stop`. */
class LiveUpdates {
  readonly #address: string
  readonly #gather: ReturnType<typeof gatherChanges>
  #source: EventSource
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryMs = FIRST_RETRY_MS

  constructor(organization: string) {
    this.#address = `/api/v1/organizations/${encodeURIComponent(organization)}/events`
    this.#gather = gatherChanges(organization)
    this.#source = this.#open()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#gather.stop()
    this.#source.close()
  }

  #open(): EventSource {
    const source = new EventSource(this.#address)
    source.addEventListener('message', ({ data }: MessageEvent<string>) => isChange(data) && this.#gather.add(data))
    source.addEventListener('open', () => {
      this.#retryMs = FIRST_RETRY_MS
      connection.set('open')
      // Changes before this moment were missed.
      void readEverythingAgain()
    })
    source.addEventListener('error', () => this.#retry())
    return source
  }

  // The browser's own reconnect gives up on some responses and does not back off.
  #retry(): void {
    this.#source.close()
    if (connection.get() !== 'without-database') connection.set('lost')
    void this.#findReason()
    void readMeAgain()
    this.#timer = setTimeout(() => (this.#source = this.#open()), this.#retryMs * (0.5 + Math.random() / 2))
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
  }

  // An event source does not tell why it failed.
  async #findReason(): Promise<void> {
    const current = this.#source
    const error: unknown = await send(api.GET('/me')).catch((failure: unknown) => failure)
    if (this.#source === current && connection.get() !== 'open')
      connection.set(isDatabaseSilent(error) ? 'without-database' : 'lost')
  }
}

/** Changes come in bursts. They are fetched together, at most this often. */
const GATHER_MS = 1_000

/** Fetches what the announced changes affect. */
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
