// Decides which model is loaded next, which one makes room for it, and when an idle one goes. Pure: all times are given.
//
// Models that don't fit together take turns. A model stays at least as long as loading it took, so at most half of the time goes into
// loading. While it is used it stays a little longer, so that its waiting jobs get done before the next swap; then it takes no new jobs,
// finishes those it has, and goes. The model whose oldest job has waited longest comes next, so every model gets its turn.

/** A model in memory. */
export interface Loaded {
  name: string
  loadedAt: number
  loadMs: number
  /** When its last job ended, or when it was loaded. */
  usedAt: number
  running: number
  /** The model takes no new jobs, and is unloaded once the last one is done. */
  isClosing: boolean
  /** Infinite if it never makes room, 0 if it goes as soon as it is idle. */
  keepAliveMs: number
}

/** A model that is not in memory. */
export interface Wanted {
  name: string
  /** Since when its oldest job waits; undefined if none does. */
  waitingSince: number | undefined
}

export type Step =
  | { do: 'unload'; name: string }
  /** Let it finish its jobs, and give it no new ones. */
  | { do: 'close'; name: string }
  /** Nobody may go yet. */
  | { do: 'wait'; until: number }
  /** Nobody may ever go. */
  | { do: 'nothing' }

/** Between two requests of one client, a model is not idle yet. */
const PAUSE_MS = 250
/** Loading may take longer, but nobody should wait for a turn that long. */
const LONGEST_STAY_MS = 30_000
const SHORTEST_TURN_MS = 5_000
/** A used model stays this many times as long as loading it took. */
const TURN = 4

export function nextToLoad<Model extends Wanted>(models: readonly Model[]): Model | undefined {
  const waiting = models.flatMap((model) => {
    const since = model.waitingSince
    return since === undefined ? [] : [{ model, since }]
  })
  return waiting.toSorted((a, b) => a.since - b.since)[0]?.model
}

/** How to make room for a model whose jobs wait. Of models that could go, the one that was used longest ago does. */
export function makeRoom(models: readonly Loaded[], now: number): Step {
  const movable = models.filter(({ keepAliveMs }) => keepAliveMs < Number.POSITIVE_INFINITY)
  if (movable.length === 0) return { do: 'nothing' }
  const idle = movable.filter((model) => goesAt(model) <= now)
  if (idle.length > 0) return { do: 'unload', name: first(idle, ({ usedAt }) => usedAt).name }
  if (movable.some(({ isClosing }) => isClosing)) return { do: 'wait', until: Number.POSITIVE_INFINITY }
  const over = movable.filter((model) => turnEndsAt(model) <= now)
  if (over.length > 0) return { do: 'close', name: first(over, ({ loadedAt }) => loadedAt).name }
  return { do: 'wait', until: Math.min(...movable.map((model) => Math.min(goesAt(model), turnEndsAt(model)))) }
}

/** When an idle model is no longer kept; infinite while it has jobs. */
export function expiresAt({ running, usedAt, keepAliveMs }: Loaded): number {
  return running > 0 ? Number.POSITIVE_INFINITY : usedAt + keepAliveMs
}

/** When it may make room without being in anybody's way; infinite while it has jobs. */
function goesAt({ running, isClosing, usedAt, loadedAt, loadMs }: Loaded): number {
  if (running > 0) return Number.POSITIVE_INFINITY
  return isClosing ? 0 : Math.max(usedAt + PAUSE_MS, loadedAt + Math.min(loadMs, LONGEST_STAY_MS))
}

function turnEndsAt({ loadedAt, loadMs }: Loaded): number {
  return loadedAt + Math.min(Math.max(TURN * loadMs, SHORTEST_TURN_MS), LONGEST_STAY_MS)
}

function first(models: readonly Loaded[], rank: (model: Loaded) => number): Loaded {
  return models.reduce((least, other) => (rank(other) < rank(least) ? other : least))
}
