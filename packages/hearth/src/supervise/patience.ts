// Tells a silent part that is slow from one that is stuck: by what it did with its silence, not by how long it lasted. A machine may be so
// busy that a part gets a twentieth of a core, and then nothing is wrong with the part.

/** What a look at a silent part saw. */
export interface Activity {
  /** When it was, on the clock of this process. */
  at: number
  /** The CPU time that it has used so far. */
  cpuMs: number
  /** It has a core, or waits for one or for the disk: it would go on if the machine let it. */
  isEager: boolean
}

export interface Silence {
  /** Looks, not seconds: while the machine sleeps, or this process doesn't get to run, nobody looks and nobody is silent. */
  looks: number
  /** The last of them, without a break, at which it did nothing. */
  idleLooks: number
  first?: Activity
  last?: Activity
}

export interface Patience {
  looks: number
  /** More than any work takes between two signs of life. */
  cpuMs: number
}

/** Code is read at the start. */
export const WHILE_STARTING: Patience = { looks: 60, cpuMs: 60_000 }
export const WHILE_RUNNING: Patience = { looks: 15, cpuMs: 10_000 }

/** `idle` does nothing at all, and `looping` has done more than any work takes. */
export type Verdict = 'fine' | 'slow' | 'idle' | 'looping'

export const NO_SILENCE: Silence = { looks: 0, idleLooks: 0 }

/** Between two looks. Its other threads need a little, and the system counts in steps of 10 ms. */
const LEAST_MS = 20

/** `seen` is undefined if the system doesn't say: then only the looks count. */
export function lengthen({ looks, idleLooks, first, last }: Silence, seen: Activity | undefined): Silence {
  const isIdle = seen === undefined || (!seen.isEager && seen.cpuMs - (last ?? seen).cpuMs < LEAST_MS)
  const known = seen === undefined ? {} : { first: first ?? seen, last: seen }
  return { looks: looks + 1, idleLooks: isIdle ? idleLooks + 1 : 0, ...known }
}

export function judge(silence: Silence, { looks, cpuMs }: Patience): Verdict {
  if (silence.idleLooks >= looks) return 'idle'
  if (silence.looks < looks) return 'fine'
  return usedMs(silence) >= cpuMs ? 'looping' : 'slow'
}

/** The share of one core that it got. Undefined if the system doesn't say. */
export function shareOf({ first, last }: Silence): number | undefined {
  if (first === undefined || last === undefined || last.at <= first.at) return undefined
  return usedMs({ first, last }) / (last.at - first.at)
}

function usedMs({ first, last }: Pick<Silence, 'first' | 'last'>): number {
  return first === undefined || last === undefined ? 0 : Math.max(0, last.cpuMs - first.cpuMs)
}
