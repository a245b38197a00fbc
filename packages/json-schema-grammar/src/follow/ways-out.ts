// Whether an open item can still end, and end different from all before it. Otherwise a model could write itself into a corner: with all
// values of a list used, only the comma would have been wrong, not what follows it.

import type { Ways, Way, Written } from './ways.ts'
import { mayRepeat, type Scope } from './written-items.ts'

/** How many characters are tried. What isn't known by then is taken to be possible. */
const MAX_STEPS = 2_000
/** Up to here, all characters of a class are tried. */
const FEW = 64
/** Of other classes, some that are common. */
const COMMON = Array.from('eatsonir0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZbcdfghjklmpquvwxyz_- ', (one) =>
  one.codePointAt(0)!,
)
const MAX_TRIED = 64
/** What ends a value is tried first. */
const ENDS = Array.from('"}],', (one) => one.codePointAt(0)!)

export function hasWayOut(ways: Ways, written: Written): boolean {
  return new Search().find(ways, written)
}

class Search {
  #steps = 0
  /** Whether something was left untried. */
  #isUnsure = false

  find(ways: Ways, written: Written): boolean {
    return this.#reach(ways, written) || this.#isUnsure
  }

  #reach(ways: Ways, written: Written): boolean {
    if (ways.list.some((way) => !isAtRisk(way.scope, written))) return true
    for (const code of this.#nextCodes(ways.list)) {
      if (++this.#steps > MAX_STEPS) return (this.#isUnsure = true)
      const longer = withCharacter(written, code)
      const after = ways.take(code, longer)
      if (after.list.length > 0 && this.#reach(after, longer)) return true
    }
    return false
  }

  #nextCodes(ways: readonly Way[]): number[] {
    const codes = new Set(ways.flatMap(({ frame }) => this.#codesOf(frame?.place, frame?.count ?? 0)))
    return [...ENDS.filter((code) => codes.delete(code)), ...codes]
  }

  #codesOf(place: NonNullable<Way['frame']>['place'] | undefined, count: number): number[] {
    if (place?.type === 'literal') return [place.text.codePointAt(count)!]
    if (place?.type !== 'characters') return []
    const size = place.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
    if (size <= FEW)
      return place.ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
    this.#isUnsure = true
    const common = COMMON.filter((code) => place.ranges.some(([from, to]) => code >= from && code <= to))
    return [...common, ...place.ranges.map(([from]) => from)].slice(0, MAX_TRIED)
  }
}

function withCharacter(written: Written, code: number): Written {
  const character = String.fromCodePoint(code)
  return {
    length: written.length + character.length,
    from: (begin) => (begin <= written.length ? written.from(begin) + character : ''),
  }
}

/** Whether one of the open items could still become equal to an earlier one. */
function isAtRisk(scope: Scope | undefined, written: Written): boolean {
  for (let open = scope; open !== undefined; open = open.outer)
    if (open.begin !== undefined && mayRepeat(open.written, written.from(open.begin))) return true
  return false
}
