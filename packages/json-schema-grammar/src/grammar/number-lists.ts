// Lists of numbers, each with a number of its own: the same for equal lists, so that they are quick
// to compare. A list is kept as a shorter one and its last number, in a hash table: a Map would
// take several times as long.

/** The list without numbers. */
export const EMPTY_LIST = 0

const FEW = 32
const FREE = 0

export class NumberLists {
  #count = 1
  #shorter = new Int32Array(FEW)
  #last = new Float64Array(FEW)
  /**
   * The lists by their hashes. Twice as many slots as lists, so that most hashes have a slot of
   * their own.
   */
  #slots = new Int32Array(FEW * 2)

  /** The list with one more number. It can also begin with a negative number instead of a list. */
  extended(list: number, last: number): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(list, last) & mask
    for (let found = this.#slots[slot]!; found !== FREE; found = this.#slots[slot]!) {
      if (this.#shorter[found] === list && this.#last[found] === last) return found
      slot = (slot + 1) & mask
    }
    return this.#add(list, last, slot)
  }

  #add(list: number, last: number, slot: number): number {
    const added = this.#count++
    this.#shorter[added] = list
    this.#last[added] = last
    this.#slots[slot] = added
    if (this.#count === this.#shorter.length) this.#grow()
    return added
  }

  #grow(): void {
    const [shorter, last] = [this.#shorter, this.#last]
    this.#shorter = new Int32Array(shorter.length * 2)
    this.#last = new Float64Array(last.length * 2)
    this.#shorter.set(shorter)
    this.#last.set(last)
    this.#slots = new Int32Array(shorter.length * 4)
    const mask = this.#slots.length - 1
    for (let list = 1; list < this.#count; list++) {
      let slot = hashOf(shorter[list]!, last[list]!) & mask
      while (this.#slots[slot] !== FREE) slot = (slot + 1) & mask
      this.#slots[slot] = list
    }
  }

  /** Adds a number to some of the lists in `lists`. Most of them are equal to the one before. */
  extendAll(lists: Int32Array, places: readonly number[], last: number): void {
    let [before, after] = [-1, -1]
    for (const place of places) {
      const list = lists[place]!
      if (list !== before) after = this.extended((before = list), last)
      lists[place] = after
    }
  }

  numbersIn(list: number): number[] {
    const numbers: number[] = []
    for (let at = list; at > EMPTY_LIST; at = this.#shorter[at]!) numbers.push(this.#last[at]!)
    return numbers.toReversed()
  }
}

function hashOf(list: number, last: number): number {
  const mixed = Math.imul(list, 0x9e_37_79_b1) + Math.imul(last, 0x85_eb_ca_6b)
  return mixed ^ (mixed >>> 15)
}
