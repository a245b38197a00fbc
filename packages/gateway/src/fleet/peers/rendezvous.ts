// Rendezvous hashing: every peer draws a number for a name, and the highest one wins. When a peer comes or goes, only the names that
// it wins or won move.

/** Undefined if there are no peers. */
export function winnerOf(name: string, peers: readonly string[]): string | undefined {
  const nameHash = hashOf(name)
  let winner: string | undefined
  let highest = -1
  for (const peer of peers) {
    const score = mix(nameHash ^ hashOf(peer))
    if (score < highest || (score === highest && winner !== undefined && peer > winner)) continue
    winner = peer
    highest = score
  }
  return winner
}

/** FNV-1a, mixed once more: on its own it spreads short names badly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mix(hash)
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the bits of the result. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
