// A nondeterministic automaton: the places in an expression that a text can have reached, several
// at once. Each set of places becomes a state of a deterministic one.

import type { CharacterRange } from '../grammar/expression.ts'
import { onlyOne } from '../only-one.ts'
import { commonAlphabet, lettersIn, type Alphabet } from './alphabet.ts'
import { NOWHERE, lettersByTarget, withLetters, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import { PatternError, type Language } from './language.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import type { WorkBudget } from './work-budget.ts'
import { getOrMake } from '../get-or-make.ts'

/** Counted repetitions are copied, and nested ones multiply. */
const MAX_PLACES = 5000

interface Place {
  readonly number: number
  /** Places that are reached without a character. */
  readonly free: Place[]
  readonly steps: { readonly letters: readonly number[]; readonly target: Place }[]
}

export class Places {
  readonly #alphabet: Alphabet
  readonly #work: WorkBudget
  readonly #compilePart: (language: Language) => Automaton
  readonly #places: Place[] = []
  readonly #letters = new Map<readonly CharacterRange[], readonly number[]>()
  readonly #lists = new NumberLists()
  /** The sets of places that were reached, and their numbers by the list of their places. */
  readonly #sets: Uint16Array[] = []
  readonly #numbers: number[] = []
  /**
   * The number of the set of places that are reached from each one without a character, once it is
   * known.
   */
  readonly #setOfPlace: number[] = []
  /**
   * The number of the set that each list of sets makes, once it is known, and the set that it was
   * last reached from.
   */
  readonly #setOfList: number[] = []
  readonly #reachedFrom: number[] = []
  /** Closures are found in rounds; the last one in which each place was seen. */
  #seenIn = new Int32Array(0)
  #round = 0

  /** `compilePart` is for what only a deterministic automaton can express. */
  constructor(alphabet: Alphabet, work: WorkBudget, compilePart: (language: Language) => Automaton) {
    this.#alphabet = alphabet
    this.#work = work
    this.#compilePart = compilePart
  }

  compile(language: Language): Automaton {
    const start = this.#place()
    const end = this.#build(language, start)
    this.#seenIn = new Int32Array(this.#places.length)
    return explore(
      {
        alphabet: this.#alphabet,
        start: this.#setAt(start),
        isAccepted: (set) => this.#sets[set]!.includes(end.number),
        follow: (set, targets) => this.#follow(set, targets),
      },
      this.#work,
    )
  }

  #follow(set: number, targets: Int32Array): void {
    targets.fill(EMPTY_LIST)
    for (const number of this.#sets[set]!)
      for (const { letters, target } of this.#places[number]!.steps) {
        this.#work.spend(letters.length)
        this.#lists.extendAll(targets, letters, this.#setAt(target))
      }
    for (let letter = 0; letter < targets.length; letter++) {
      const list = targets[letter]!
      targets[letter] = list === EMPTY_LIST ? NOWHERE : this.#reach(list, set)
    }
  }

  /** The number of the set that a list of sets makes. */
  #reach(list: number, from: number): number {
    const set = (this.#setOfList[list] ??= this.#joined(this.#lists.numbersIn(list)))
    // Several letters that lead to the same places are one piece of work.
    if (this.#reachedFrom[list] !== from) this.#work.spend(this.#sets[set]!.length)
    this.#reachedFrom[list] = from
    return set
  }

  #joined(sets: readonly number[]): number {
    const only = onlyOne([...new Set(sets)])
    if (only !== undefined) return only
    const found: number[] = []
    this.#round += 1
    for (const set of sets) for (const number of this.#sets[set]!) if (this.#isNew(number)) found.push(number)
    return this.#numberOf(Uint16Array.from(found).sort())
  }

  #setAt(place: Place): number {
    return (this.#setOfPlace[place.number] ??= this.#makeSet(place))
  }

  // Most places are only on the way to another one. Those never form a circle: a loop always has a
  // way on.
  #makeSet(place: Place): number {
    const next = place.steps.length === 0 ? onlyOne(place.free) : undefined
    return next === undefined ? this.#numberOf(this.#findClosure(place)) : this.#setAt(next)
  }

  // Only places that read a character, and the ends of texts, tell sets of places apart.
  #findClosure(place: Place): Uint16Array {
    this.#round += 1
    this.#seenIn[place.number] = this.#round
    const reached = [place]
    const telling: number[] = []
    // Gets to the places that are added on the way as well.
    for (const { number, free, steps } of reached) {
      if (steps.length > 0 || free.length === 0) telling.push(number)
      for (const next of free) if (this.#isNew(next.number)) reached.push(next)
    }
    return Uint16Array.from(telling).sort()
  }

  /** Whether a place is seen for the first time in this round. */
  #isNew(number: number): boolean {
    if (this.#seenIn[number] === this.#round) return false
    this.#seenIn[number] = this.#round
    return true
  }

  #numberOf(places: Uint16Array): number {
    let list = EMPTY_LIST
    for (const place of places) list = this.#lists.extended(list, place)
    return (this.#numbers[list] ??= this.#sets.push(places) - 1)
  }

  #place(): Place {
    const number = this.#places.length
    if (number >= MAX_PLACES) throw new PatternError(`its repetitions multiply to more than ${MAX_PLACES} places`)
    const place: Place = { number, free: [], steps: [] }
    this.#places.push(place)
    return place
  }

  /** Adds the places of a language after `from`, and returns the place at its end. */
  #build(language: Language, from: Place): Place {
    switch (language.type) {
      case 'none':
        return this.#place()
      case 'empty':
        return from
      case 'characters': {
        const end = this.#place()
        from.steps.push({ letters: this.#lettersIn(language.ranges), target: end })
        return end
      }
      case 'sequence':
        return language.parts.reduce((at, part) => this.#build(part, at), from)
      case 'choice':
        return this.#buildChoice(language.options, from)
      case 'repeat':
        return this.#buildRepeat(language, from)
      case 'all':
      case 'not':
      case 'length':
        return this.#embed(language, from)
      default:
        return language satisfies never
    }
  }

  #lettersIn(ranges: readonly CharacterRange[]): readonly number[] {
    return getOrMake(this.#letters, ranges, () => lettersIn(this.#alphabet, ranges))
  }

  #buildChoice(options: readonly Language[], from: Place): Place {
    const end = this.#place()
    for (const option of options) this.#build(option, this.#after(from)).free.push(end)
    return end
  }

  #buildRepeat({ part, min, max }: Extract<Language, { type: 'repeat' }>, from: Place): Place {
    let at = from
    for (let count = 0; count < min; count++) at = this.#build(part, at)
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#after(at)
      this.#build(part, this.#after(loop)).free.push(loop)
      return this.#after(loop)
    }
    const end = this.#place()
    for (let count = min; count < max; count++) {
      at.free.push(end)
      at = this.#build(part, this.#after(at))
    }
    at.free.push(end)
    return end
  }

  #after(place: Place): Place {
    const next = this.#place()
    place.free.push(next)
    return next
  }

  #embed(language: Language, from: Place): Place {
    const automaton = withAlphabet(this.#compilePart(language), this.#alphabet)
    const end = this.#place()
    const places = Array.from(automaton.accepts, () => this.#place())
    const [start] = places
    if (start !== undefined) from.free.push(start)
    for (const [state, place] of places.entries()) {
      if (automaton.accepts[state] === 1) place.free.push(end)
      for (const [reached, letters] of lettersByTarget(automaton, state)) {
        const target = places[reached]
        if (target !== undefined) place.steps.push({ letters, target })
      }
    }
    return end
  }
}

/** The same automaton, in an alphabet that tells more apart. */
function withAlphabet(automaton: Automaton, alphabet: Alphabet): Automaton {
  const { origins } = commonAlphabet([alphabet, automaton.alphabet])
  return withLetters(automaton, alphabet, origins[1]!)
}
