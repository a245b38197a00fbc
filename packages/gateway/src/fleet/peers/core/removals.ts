// Decides who is gone. A gateway is gone when its row has not been renewed for the length of its leadership, as this gateway's own clock measures
// it: from after the query that first showed the row as it is, to before the query that removes it. No other clock matters.

import type { BusServer } from '../../../bus/bus.ts'
import type { PeerRow, PeerState } from '../../../store/peers.ts'
import type { Fence } from './fence.ts'
import type { Liveness } from './liveness.ts'
import { outlast, type Timing } from './timing.ts'

interface Seen {
  row: PeerRow
  since: number
  /** When it was last seen unchanged. */
  until: number
}

export class Removals {
  readonly #timing: Timing
  /** Of the gateway that wants to remove others. */
  readonly #self: string
  /** Knows when its claims on other gateways' rows were heard. */
  readonly #fence: Pick<Fence, 'heardAt'>
  #seen = new Map<number, Seen>()
  /** When this gateway last vouched for somebody. */
  readonly #promisedAt = new Map<number, number>()
  /** Rows whose removal was sent. It may take effect at any time, so this gateway must not promise anything until it sees them renewed. */
  readonly #condemned = new Map<number, number>()

  constructor(timing: Timing, self: string, fence: Pick<Fence, 'heardAt'>) {
    this.#timing = timing
    this.#self = self
    this.#fence = fence
  }

  /** Anew after a time without the database: others may have been without it too, and get the same time to come back. */
  observe(rows: readonly PeerRow[], now: number, isAnew = false): void {
    this.#seen = new Map(rows.map((row) => [row.number, this.#sighting(row, now, isAnew)]))
    for (const [number, turn] of this.#condemned)
      if (this.#seen.get(number)?.row.turn !== turn) this.#condemned.delete(number)
    for (const number of this.#promisedAt.keys()) if (!this.#seen.has(number)) this.#promisedAt.delete(number)
  }

  /** `own` is this gateway's number, undefined unless it has joined. */
  listGone(own: number | undefined, now: number): PeerState[] {
    return [...this.#seen.values()]
      .filter((seen) => seen.row.number !== own && this.#goneAt(seen, own) <= now)
      .map(({ row: { number, turn } }) => ({ number, turn }))
  }

  /** Rows to claim on this server: not renewed for a while, and maybe vouched for out of sight. */
  listClaimable(own: number | undefined, server: BusServer): PeerState[] {
    const { claimMs } = this.#timing
    return [...this.#seen.values()]
      .filter(
        ({ row, since, until }) =>
          !this.#isKnown(row, own) && until - since >= claimMs && row.bus && isWithinReach(row.bus, server),
      )
      .map(({ row: { number, turn } }) => ({ number, turn }))
  }

  /** When somebody will be gone, if nothing is heard of them. */
  nextGoneAt(own: number): number {
    const others = [...this.#seen.values()].filter(({ row }) => row.number !== own)
    return Math.min(...others.map((seen) => this.#goneAt(seen, own)))
  }

  condemn(rows: readonly PeerState[]): void {
    for (const { number, turn } of rows) this.#condemned.set(number, turn)
  }

  /** The rows may also have been renewed in time: the next sighting shows that. */
  removed(rows: readonly PeerState[]): void {
    for (const { number } of rows) this.#seen.delete(number)
  }

  /** Promises not to remove those that are heard, for as long as their last heartbeat counts. */
  vouch(
    numbers: readonly number[],
    hearing: Pick<Liveness, 'last'>,
    now: number,
  ): [number: number, sequence: number][] {
    return numbers.flatMap((number) => {
      const heard = hearing.last(number)
      if (!heard || this.#condemned.has(number)) return []
      this.promise(number, now)
      return [[number, heard.sequence] as [number, number]]
    })
  }

  promise(number: number, now: number): void {
    this.#promisedAt.set(number, now)
  }

  #sighting(row: PeerRow, now: number, isAnew: boolean): Seen {
    const known = isAnew ? undefined : this.#seen.get(row.number)
    // When a peer leaves, the list of peers is emptied: nobody vouches any more, but the last word may still count.
    const isSame = known?.row.turn === row.turn && known.row.peers.length === row.peers.length
    return isSame ? { ...known, until: now } : { row, since: now, until: now }
  }

  #goneAt({ row, since }: Seen, own: number | undefined): number {
    // This gateway tried to join, and the answer was lost. It has never acted under that number.
    if (row.id === this.#self) return -Infinity
    const { leadershipMs, graceMs, vouchMs } = this.#timing
    const claimedAt = this.#fence.heardAt(row)
    const lastWordAt = Math.max(this.#promisedAt.get(row.number) ?? -Infinity, claimedAt ?? -Infinity)
    const isKnown = this.#isKnown(row, own) || claimedAt !== undefined
    return Math.max(lastWordAt + outlast(vouchMs), since + outlast(isKnown ? leadershipMs : graceMs))
  }

  /** Nobody vouches for it, or this gateway would have to. */
  #isKnown({ id, peers }: PeerRow, own: number | undefined): boolean {
    return id === this.#self || peers.length === 0 || (own !== undefined && peers.includes(own))
  }
}

/** Is it the same server, or does this one prove that the other one is dead? */
function isWithinReach(theirs: BusServer, ours: BusServer): boolean {
  return theirs.id === ours.id || (theirs.name !== undefined && theirs.name === ours.name)
}
