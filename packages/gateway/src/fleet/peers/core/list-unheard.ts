import type { PeerRow } from '../../../store/peers.ts'

/**
 * The numbers of all peers that are not in the largest group of gateways that hear each other, in order. Only those that hear
 * themselves count: the others have lost the bus. Undefined if there is no such group, so that nobody can say who is cut off.
 */
export function listUnheard(rows: readonly PeerRow[]): number[] | undefined {
  const groups = groupByHearing(rows)
  const sizes = groups.map((group) => group.filter(({ number, hears }) => hears.includes(number)).length)
  const largest = Math.max(...sizes)
  const [heard, other] = groups.filter((_, index) => sizes[index] === largest)
  if (largest === 0 || other !== undefined) return undefined
  return rows.filter((row) => !heard?.includes(row)).map(({ number }) => number)
}

/** Directly or through others. Both have to hear: one way is not enough to work together. */
function groupByHearing(rows: readonly PeerRow[]): PeerRow[][] {
  const groups: PeerRow[][] = []
  const left = new Set(rows)
  for (const row of rows) {
    if (!left.delete(row)) continue
    const group = [row]
    // Grows while it is walked through.
    for (const one of group)
      for (const other of left)
        if (areConnected(one, other)) {
          left.delete(other)
          group.push(other)
        }
    groups.push(group)
  }
  return groups
}

function areConnected(one: PeerRow, other: PeerRow): boolean {
  return one.hears.includes(other.number) && other.hears.includes(one.number)
}
