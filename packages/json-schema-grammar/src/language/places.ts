// A nondeterministic automaton: the places in an expression that a text can have reached, several at once. Each set of places becomes a
// state of a deterministic one.

import type { CharacterRange } from '../grammar/expression.ts'
import { onlyOne } from '../only-one.ts'
import { lettersIn, type Alphabet } from './alphabet.ts'
import { lettersByTarget, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import { PatternError, type Language } from './language.ts'
import type { WorkBudget } from './work-budget.ts'

/** Counted repetitions are copied, and nested ones multiply. */
const MAX_PLACES = 5000

interface Place {
  readonly number: number
  /** Places that are reached without a character. */
  readonly free: Place[]
  readonly steps: { readonly letters: readonly number[]; readonly target: Place }[]
  /** Every place that is reached without a character, and the set of them, once they are known. */
  closure: readonly Place[] | undefined
  set: PlaceSet | undefined
}

interface PlaceSet {
  readonly places: readonly Place[]
  /** The set that each letter leads to, once it is known. */
  row: readonly (PlaceSet | undefined)[] | undefined
}

export class Places {
  readonly #alphabet: Alphabet
  readonly #work: WorkBudget
  readonly #compilePart: (language: Language) => Automaton
  #count = 0
  readonly #embedded = new Map<Language, Automaton>()
  readonly #letters = new Map<readonly CharacterRange[], readonly number[]>()
  readonly #sets = new Map<string, PlaceSet>()

  /** `compilePart` is for what only a deterministic automaton can express. */
  constructor(alphabet: Alphabet, work: WorkBudget, compilePart: (language: Language) => Automaton) {
    this.#alphabet = alphabet
    this.#work = work
    this.#compilePart = compilePart
  }

  compile(language: Language): Automaton {
    const start = this.#place()
    const end = this.#build(language, start)
    return explore<PlaceSet>(
      {
        alphabet: this.#alphabet,
        start: this.#setOf([start]),
        isAccepted: ({ places }) => places.includes(end),
        step: (set, letter) => (set.row ??= this.#rowOf(set))[letter],
      },
      this.#work,
    )
  }

  #setOf(reached: readonly Place[]): PlaceSet {
    // Most letters lead to only one place.
    const only = onlyOne(reached)
    const set =
      only === undefined ? this.#setAt(closureOfAll(reached)) : (only.set ??= this.#setAt(closureOfAll([only])))
    this.#work.spend(set.places.length)
    return set
  }

  #setAt(places: readonly Place[]): PlaceSet {
    const key = keyOf(places)
    let set = this.#sets.get(key)
    if (set === undefined) this.#sets.set(key, (set = { places, row: undefined }))
    return set
  }

  #rowOf({ places }: PlaceSet): readonly (PlaceSet | undefined)[] {
    const reached: (Place[] | undefined)[] = Array.from({ length: this.#alphabet.size })
    for (const { steps } of places)
      for (const { letters, target } of steps) {
        this.#work.spend(letters.length)
        for (const letter of letters) (reached[letter] ??= []).push(target)
      }
    const known = new Map<Place | string, PlaceSet>()
    return reached.map((targets) => {
      if (targets === undefined) return undefined
      const key = onlyOne(targets) ?? keyOf(targets)
      const set = known.get(key) ?? this.#setOf(targets)
      known.set(key, set)
      return set
    })
  }

  #place(): Place {
    if (this.#count >= MAX_PLACES) throw new PatternError(`its repetitions multiply to more than ${MAX_PLACES} places`)
    return { number: this.#count++, free: [], steps: [], closure: undefined, set: undefined }
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
    let letters = this.#letters.get(ranges)
    if (letters === undefined) this.#letters.set(ranges, (letters = lettersIn(this.#alphabet, ranges)))
    return letters
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
    let automaton = this.#embedded.get(language)
    if (automaton === undefined) this.#embedded.set(language, (automaton = this.#compilePart(language)))
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

function keyOf(places: readonly Place[]): string {
  let key = ''
  for (const { number } of places) key += `${number} `
  return key
}

function closureOfAll(places: Iterable<Place>): readonly Place[] {
  const found = new Set<Place>()
  for (const place of places) for (const reached of (place.closure ??= closureOf(place))) found.add(reached)
  return [...found].sort((a, b) => a.number - b.number)
}

// Only places that read a character, and the ends of texts, tell sets of places apart.
function closureOf(place: Place): readonly Place[] {
  const seen = new Set([place])
  for (const { free } of seen) for (const next of free) seen.add(next)
  return [...seen].filter(({ steps, free }) => steps.length > 0 || free.length === 0)
}
