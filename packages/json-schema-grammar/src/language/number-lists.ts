// Lists of numbers, each with a number of its own: the same for equal lists, so that they are quick to compare. A list is kept as a shorter
// one and its last number.

/** The list without numbers. */
export const EMPTY_LIST = 0

export class NumberLists {
  readonly #width: number
  readonly #lists = new Map<number, number>()
  readonly #shorter = [EMPTY_LIST]
  readonly #last = [-1]

  /** All numbers are from 0 to below `width`. */
  constructor(width: number) {
    this.#width = width
  }

  /** The list with one more number. */
  extended(list: number, last: number): number {
    const key = list * this.#width + last
    let longer = this.#lists.get(key)
    if (longer === undefined) {
      this.#lists.set(key, (longer = this.#last.push(last) - 1))
      this.#shorter.push(list)
    }
    return longer
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
    for (let at = list; at !== EMPTY_LIST; at = this.#shorter[at]!) numbers.push(this.#last[at]!)
    return numbers.reverse()
  }
}
