import { refetchChanged, type Change } from './changes.ts'

/** Changes come in bursts. They are fetched together, at most this often. */
const BATCH_MS = 1_000

/** Fetches what the announced changes affect. */
export function batchChanges(organization: string) {
  const changes = new Set<Change>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false

  async function flush(): Promise<void> {
    timer = undefined
    isReading = true
    const read = refetchChanged(organization, [...changes])
    changes.clear()
    await read
    isReading = false
    schedule()
  }

  // Large lists take a while to fetch, so fetches run one after another.
  function schedule(): void {
    if (changes.size > 0 && timer === undefined && !isReading) timer = setTimeout(() => void flush(), BATCH_MS)
  }

  return {
    add(change: Change) {
      changes.add(change)
      schedule()
    },
    stop: () => clearTimeout(timer),
  }
}
