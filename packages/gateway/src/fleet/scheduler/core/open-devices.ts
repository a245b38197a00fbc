// The devices of a queue that could take a job now, in no particular order. What a choice compares lies side by side in `facts`: with many
// devices, each object that is looked at has to come from memory, and only the chosen one is worth it.

/** How many numbers are kept of each device, and where each of them is. */
export const FACTS = 7
export const AT = { readMs: 0, msPerCharacter: 1, leased: 2, slots: 3, features: 4, delay: 5, lastLease: 6 } as const
/** Most models of a small organization have one device. Arrays of up to 64 bytes are part of their object. */
const FIRST_ROOM = 1

export class OpenDevices<Served extends { openPlace: number }> {
  readonly all: Served[] = []
  facts = new Float64Array(FACTS * FIRST_ROOM)
  /** Where the next search starts when there are too many to compare them all. */
  turn = 0

  add(served: Served): void {
    served.openPlace = this.all.push(served) - 1
    if (this.all.length * FACTS <= this.facts.length) return
    const larger = new Float64Array(2 * this.facts.length)
    larger.set(this.facts)
    this.facts = larger
  }

  /** Fills the gap with the last one. */
  remove(served: Served): void {
    const last = this.all.pop()!
    const place = served.openPlace
    served.openPlace = -1
    if (last === served) return
    this.all[place] = last
    last.openPlace = place
    this.facts.copyWithin(place * FACTS, this.all.length * FACTS, (this.all.length + 1) * FACTS)
  }
}
