// The devices of a queue in groups of about the same speed, so that a search begins with the fastest and ends where no slower one could be
// better: it costs the same with ten devices or a thousand. What a choice compares lies side by side in `facts`: with many devices, each
// object that is looked at has to come from memory, and only the chosen one is worth it.

/** How many numbers are kept of each device, and where each of them is. */
export const FACTS = 8
export const AT = {
  readMs: 0,
  msPerCharacter: 1,
  msPerToken: 2,
  leased: 3,
  slots: 4,
  features: 5,
  delay: 6,
  lastLease: 7,
} as const
/** Most models of a small organization have one device. Arrays of up to 64 bytes are part of their object. */
const FIRST_ROOM = 1
/** The slowest of a group takes a quarter longer than the fastest. */
const GROUPS_PER_OCTAVE = 3
/** Milliseconds per token. */
const FASTEST = 0.5
/** As many as a number has bits: the last one ends at 800 ms per token, and has all that are slower too. */
const GROUPS = 32

/** What a device of each group takes at least for a token; the last number bounds the last group. */
const BOUNDS = Float64Array.from({ length: GROUPS + 1 }, (_, index) => {
  if (index === 0) return 0
  return index === GROUPS ? Number.POSITIVE_INFINITY : FASTEST * 2 ** (index / GROUPS_PER_OCTAVE)
})

interface Grouped<Self> {
  group: SpeedGroup<Self> | undefined
  groupPlace: number
  /** Number of the group of its speed, whether it is in one or not. */
  speed: number
}

export class SpeedGroup<Served> {
  readonly all: Served[] = []
  facts = new Float64Array(FACTS * FIRST_ROOM)
  /** Where the next search starts when there are too many to compare them all. */
  turn = 0
  readonly bit: number
  /** All its devices take at least this long for a token. */
  readonly least: number

  constructor(speed: number) {
    this.bit = 1 << speed
    this.least = BOUNDS[speed]!
  }
}

export class SpeedGroups<Served extends Grouped<Served>> {
  /** How many devices. */
  size = 0
  /** A bit for each group that has a device; the lowest is the fastest. */
  filled = 0
  readonly #groups: SpeedGroup<Served>[] = []

  /** The fastest of those that have a bit there. */
  fastest(bits: number): SpeedGroup<Served> {
    return this.#groups[31 - Math.clz32(bits & -bits)]!
  }

  /** Adds a device that is in no group, or moves it to the one that it belongs to now. */
  put(served: Served, msPerToken: number): void {
    const { speed, group } = served
    const isSame = msPerToken >= BOUNDS[speed]! && msPerToken < BOUNDS[speed + 1]!
    if (isSame && group !== undefined) return
    if (!isSame) served.speed = speedOf(msPerToken)
    if (group !== undefined) this.remove(served)
    this.add(served)
  }

  /** Adds the device to the group that it was in before, unless it is there. */
  add(served: Served): void {
    if (served.group !== undefined) return
    const group = (this.#groups[served.speed] ??= new SpeedGroup<Served>(served.speed))
    this.filled |= group.bit
    this.size += 1
    served.group = group
    served.groupPlace = group.all.push(served) - 1
    if (group.all.length * FACTS <= group.facts.length) return
    const larger = new Float64Array(2 * group.facts.length)
    larger.set(group.facts)
    group.facts = larger
  }

  /** Fills the gap with the last one of its group. */
  remove(served: Served): void {
    const { group, groupPlace } = served
    if (group === undefined) return
    const { all, facts } = group
    const last = all.pop()!
    this.size -= 1
    served.group = undefined
    if (all.length === 0) this.filled &= ~group.bit
    if (last === served) return
    all[groupPlace] = last
    last.groupPlace = groupPlace
    // For so few, a loop is faster than a call of the engine.
    const from = all.length * FACTS
    const to = groupPlace * FACTS
    for (let fact = 0; fact < FACTS; fact++) facts[to + fact] = facts[from + fact]!
  }
}

function speedOf(msPerToken: number): number {
  const speed = Math.floor(GROUPS_PER_OCTAVE * Math.log2(msPerToken / FASTEST))
  return Math.min(GROUPS - 1, Math.max(0, speed))
}
