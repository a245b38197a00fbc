// Whether an open item can still end, and end different from all before it. Otherwise a model could
// write itself into a corner: with all values of a list used, only the comma would have been wrong,
// not what follows it.

import type { CharacterRange } from '../grammar/expression.ts'
import { possibleCharacters, readCharacters } from '../follow/characters.ts'
import { rangesOf, type Frame } from '../follow/place.ts'
import { textFrom, type Way, type Ways, type Written } from './ways.ts'
import { beginOf, mayRepeat, wholeValues, type Scope } from './written-items.ts'

/**
 * How many characters are tried, on all ways together. What isn't known by then is taken to be
 * possible.
 */
const MAX_STEPS = 1_500
/** Up to here, all characters of a class are tried. */
const FEW = 64
/** Of other classes, some that are common. */
const COMMON = Array.from('eatsonir0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZbcdfghjklmpquvwxyz_- ', (one) =>
  one.codePointAt(0)!,
)
const ALL: CharacterRange = [0, 0x10_ff_ff]
/** What ends a value. */
const ENDS = Array.from('"}],', (one) => one.codePointAt(0)!)

/** `partial` are the first bytes of the next character. */
export function hasWayOut(ways: Ways, written: Written, partial: Uint8Array): boolean {
  if (ways.list.every(({ scope }) => scope === undefined)) return true
  if (partial.length === 0) return new Search().find(ways, written)
  const { unfinished } = readCharacters(partial) ?? {}
  return new Search().find(ways, written, unfinished && possibleCharacters(unfinished))
}

class Search {
  #steps = 0
  /** Items that begin later are looked at when their turn comes. */
  #begin = 0
  /** Whether something was left untried. */
  #isUnsure = false
  /**
   * Where it was without success, by the values so far: `1`, `1.0` and `1e0` lead to the same
   * place.
   */
  readonly #tried = new Map<string, Ways[]>()

  /** `next` are the characters of which the next one has to be. */
  find(ways: Ways, written: Written, next?: CharacterRange): boolean {
    this.#begin = written.before + written.end
    if (next === undefined && this.#isSafe(ways, written)) return true
    return this.#reach(ways, written, next) || this.#isUnsure
  }

  /** Whether on one of the ways, no item can become equal to an earlier one. */
  #isSafe(ways: Ways, written: Written): boolean {
    return ways.list.some(({ scope }) => !isAtRisk(scope, written, this.#begin))
  }

  #reach(ways: Ways, written: Written, next?: CharacterRange): boolean {
    if (this.#wasTried(ways, written)) return false
    for (const code of this.#nextCodes(ways.list, next)) {
      this.#steps += ways.width
      if (this.#steps > MAX_STEPS) return (this.#isUnsure = true)
      const longer = withCharacter(written, code)
      const after = ways.take(code, longer)
      if (after.list.length === 0) continue
      // Where nothing changes, a text can become as long as it takes to be different.
      if (after === ways || this.#isSafe(after, longer) || this.#reach(after, longer)) return true
    }
    return false
  }

  #wasTried(ways: Ways, written: Written): boolean {
    const values = valuesOf(ways, written)
    if (values === undefined) return false
    const tried = this.#tried.get(values) ?? []
    this.#tried.set(values, [...tried, ways])
    return tried.some((other) => other.isSame(ways))
  }

  #nextCodes(ways: readonly Way[], [least, most]: CharacterRange = ALL): number[] {
    const [many, few] = [new Set<number>(), new Set<number>()]
    for (const frame of ways.flatMap(({ place }) => place.waiting)) this.#addCodes(frame, [least, most], many, few)
    const codes = [...many, ...ENDS.filter((code) => few.delete(code)), ...few]
    return codes.filter((code) => code >= least && code <= most)
  }

  #addCodes(frame: Frame, [least, most]: CharacterRange, many: Set<number>, few: Set<number>): void {
    // A space between tokens changes nothing.
    if (frame.step.type === 'repeat' && frame.step.isLiteral) return
    const ranges = rangesOf(frame)
      .map(([from, to]): CharacterRange => [Math.max(from, least), Math.min(to, most)])
      .filter(([from, to]) => from <= to)
    const size = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
    if (size <= FEW)
      return ranges.forEach(([from, to]) => {
        for (let code = from; code <= to; code++) few.add(code)
      })
    this.#isUnsure = true
    const common = COMMON.filter((code) => ranges.some(([from, to]) => code >= from && code <= to))
    for (const code of common.length > 0 ? common : ranges.map(([from]) => from).slice(0, FEW)) many.add(code)
  }
}

function withCharacter({ text, before, end }: Written, code: number): Written {
  const longer = text.slice(0, end) + String.fromCodePoint(code)
  return { text: longer, before, end: longer.length }
}

/**
 * Whether one of the items that were open at `begin`, or one inside of them, could become equal to
 * an earlier one.
 */
function isAtRisk(scope: Scope | undefined, written: Written, begin: number): boolean {
  for (let open = scope; open !== undefined; open = open.outer) {
    const { begin: from = Number.POSITIVE_INFINITY, outer } = open
    const isLooked = from <= (outer === undefined ? begin : Number.MAX_SAFE_INTEGER)
    if (isLooked && mayRepeat(open.written, textFrom(written, from))) return true
  }
  return false
}

/**
 * The values in the outermost open item; undefined if the last one isn't complete, or if there are
 * too many.
 */
function valuesOf({ list: [first] }: Ways, written: Written): string | undefined {
  const begin = beginOf(first?.scope)
  return begin === undefined ? undefined : wholeValues(textFrom(written, begin))
}
