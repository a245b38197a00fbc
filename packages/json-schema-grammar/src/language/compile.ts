// Makes the automaton of a language. Plain regular expressions become a nondeterministic automaton first; intersections and inversions work
// on deterministic ones.

import { alphabetOf, lettersIn, type Alphabet } from './alphabet.ts'
import { MAX_STATES, NOWHERE, explore, isEmptyLanguage, type Automaton } from './automaton.ts'
import { ANY_TEXT, PatternError, type Language } from './language.ts'
import { boundLength, isShort } from './bound-length.ts'
import { minimize } from './minimize.ts'
import { work } from './work.ts'

/** Counted repetitions are copied, and nested ones multiply. */
const MAX_PLACES = 5000
/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000
/** Each state becomes a grammar rule. */
const MAX_RULES = 1200
/** A pattern with a maximum length has a state for each length. */
const MAX_COUNTED = 400
/** Loops that count for themselves need fewer states for the same length. */
const MAX_BOUNDED = 1100

/** The automaton of a language. Throws PatternError if it would be too large. */
export function compile(language: Language): Automaton {
  const automaton = minimize(deterministic(language, alphabetOf(language)))
  if (automaton.accepts.length > MAX_RULES) throw new PatternError(`it needs more than ${MAX_RULES} states`)
  return automaton
}

function deterministic(language: Language, alphabet: Alphabet): Automaton {
  switch (language.type) {
    case 'all':
      return intersection(language.parts, alphabet)
    case 'not':
      return inverted(deterministic(language.part, alphabet))
    case 'length':
      return ofLength(language.min, language.max, alphabet)
    case 'none':
    case 'empty':
    case 'characters':
    case 'sequence':
    case 'choice':
    case 'repeat':
      return new Places(alphabet).compile(language)
    default:
      return language satisfies never
  }
}

// Lengths come last: their automata are long, and only the part that the others reach has to be built.
function intersection(parts: readonly Language[], alphabet: Alphabet): Automaton {
  const lengths = parts.filter((part) => part.type === 'length')
  const others = parts.filter((part) => part.type !== 'length').map((part) => minimize(deterministic(part, alphabet)))
  const [first = deterministic(ANY_TEXT, alphabet), ...rest] = others
  const joined = rest.length === 0 ? first : product([first, ...rest])
  return lengths.reduce<Automaton>((automaton, { min, max, share }) => limited(automaton, min, max, share), joined)
}

// All at once: two of them alone may have far more states in common than all together.
function product(automata: readonly Automaton[]): Automaton {
  const { alphabet } = automata[0]!
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const sets: (readonly number[])[] = []
  const numbers = new Map<string, number>()
  const numberOf = (states: readonly number[]): number => {
    const key = states.join(' ')
    let number = numbers.get(key)
    if (number === undefined) {
      numbers.set(key, (number = sets.length))
      sets.push(states)
    }
    return number
  }
  return explore(
    alphabet,
    numberOf(automata.map(() => 0)),
    (key) => sets[key]!.every((state, index) => automata[index]!.accepts[state] === 1),
    (key, letter) => {
      const targets = sets[key]!.map((state, index) => automata[index]!.next[state * alphabet.size + letter]!)
      return targets.includes(NOWHERE) ? NOWHERE : numberOf(targets)
    },
    MAX_PRODUCT,
  )
}

/** The texts of an automaton with a length in bounds. If that needs too many states, some of the long ones are left out. */
function limited(automaton: Automaton, min: number, max: number, share = 1): Automaton {
  if (isEmptyLanguage(automaton)) return automaton
  if (max !== Number.POSITIVE_INFINITY && isShort(automaton, max))
    return limited(automaton, min, Number.POSITIVE_INFINITY)
  if (min === 0 && max === Number.POSITIVE_INFINITY) return automaton
  const top = max === Number.POSITIVE_INFINITY ? min : max
  if (automaton.accepts.length * (top + 1) <= 2 * MAX_COUNTED) return counted(automaton, min, max, MAX_STATES)
  try {
    return counted(automaton, min, max, MAX_COUNTED)
  } catch (error) {
    if (!(error instanceof PatternError) || max === Number.POSITIVE_INFINITY) throw error
    const long = min === 0 ? automaton : minimize(counted(automaton, min, Number.POSITIVE_INFINITY, MAX_STATES))
    return boundLength(long, max, MAX_BOUNDED, share)
  }
}

function counted({ alphabet, next, accepts: accepted }: Automaton, min: number, max: number, limit: number): Automaton {
  const states = accepted.length
  const top = max === Number.POSITIVE_INFINITY ? min : max
  return explore(
    alphabet,
    0,
    (key) => accepted[key % states] === 1 && Math.floor(key / states) >= min,
    (key, letter) => {
      const count = Math.floor(key / states)
      const target = next[(key % states) * alphabet.size + letter]!
      if (target === NOWHERE || (count === top && top === max)) return NOWHERE
      return Math.min(count + 1, top) * states + target
    },
    limit,
  )
}

function ofLength(min: number, max: number, alphabet: Alphabet): Automaton {
  return counted(deterministic(ANY_TEXT, alphabet), min, max, MAX_STATES)
}

function inverted({ alphabet, next, accepts: accepted }: Automaton): Automaton {
  const sink = accepted.length
  return explore(
    alphabet,
    0,
    (key) => key === sink || accepted[key] !== 1,
    (key, letter) => {
      const target = key === sink ? NOWHERE : next[key * alphabet.size + letter]!
      return target === NOWHERE ? sink : target
    },
  )
}

/** The places in an expression that a text can have reached; several at once. */
class Places {
  readonly #alphabet: Alphabet
  /** Per place: the places that are reached without a character, and those that are reached with a letter. */
  readonly #free: number[][] = []
  readonly #steps: { letters: readonly number[]; target: number }[][] = []
  readonly #embedded = new Map<Language, Automaton>()
  readonly #sets: (readonly number[])[] = []
  readonly #setNumbers = new Map<string, number>()
  readonly #closures = new Map<number, readonly number[]>()

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet
  }

  compile(language: Language): Automaton {
    const start = this.#place()
    const end = this.#build(language, start)
    const rows: (readonly number[] | undefined)[] = []
    const startSet = this.#setOf([start])
    return explore(
      this.#alphabet,
      startSet,
      (set) => this.#sets[set]!.includes(end),
      (set, letter) => (rows[set] ??= this.#rowOf(set))[letter]!,
    )
  }

  /** The number of a set of places. */
  #setOf(places: Iterable<number>): number {
    const closed = this.#close(places)
    work(closed.length)
    const key = closed.join(' ')
    let set = this.#setNumbers.get(key)
    if (set === undefined) {
      this.#setNumbers.set(key, (set = this.#sets.length))
      this.#sets.push(closed)
    }
    return set
  }

  #rowOf(set: number): readonly number[] {
    const targets: (number[] | undefined)[] = Array.from({ length: this.#alphabet.size })
    for (const place of this.#sets[set]!)
      for (const { letters, target } of this.#steps[place]!) {
        work(letters.length)
        for (const letter of letters) (targets[letter] ??= []).push(target)
      }
    const known = new Map<string, number>()
    return targets.map((places) => {
      if (places === undefined) return NOWHERE
      const key = places.join(' ')
      const found = known.get(key) ?? this.#setOf(places)
      known.set(key, found)
      return found
    })
  }

  #place(): number {
    if (this.#free.length >= MAX_PLACES)
      throw new PatternError(`its repetitions multiply to more than ${MAX_PLACES} places`)
    this.#steps.push([])
    return this.#free.push([]) - 1
  }

  #connect(from: number, to: number): void {
    this.#free[from]!.push(to)
  }

  /** Adds the places of a language after `from`, and returns the place at its end. */
  #build(language: Language, from: number): number {
    switch (language.type) {
      case 'none':
        return this.#place()
      case 'empty':
        return from
      case 'characters': {
        const end = this.#place()
        this.#steps[from]!.push({ letters: lettersIn(this.#alphabet, language.ranges), target: end })
        return end
      }
      case 'sequence':
        return language.parts.reduce((at, part) => this.#build(part, at), from)
      case 'choice': {
        const end = this.#place()
        for (const option of language.options) {
          const begin = this.#place()
          this.#connect(from, begin)
          this.#connect(this.#build(option, begin), end)
        }
        return end
      }
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

  #buildRepeat({ part, min, max }: Extract<Language, { type: 'repeat' }>, from: number): number {
    let at = from
    for (let count = 0; count < min; count++) at = this.#build(part, at)
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#place()
      this.#connect(at, loop)
      this.#connect(this.#build(part, this.#after(loop)), loop)
      return this.#after(loop)
    }
    const end = this.#place()
    for (let count = min; count < max; count++) {
      this.#connect(at, end)
      at = this.#build(part, this.#after(at))
    }
    this.#connect(at, end)
    return end
  }

  #after(place: number): number {
    const next = this.#place()
    this.#connect(place, next)
    return next
  }

  #embed(language: Language, from: number): number {
    let automaton = this.#embedded.get(language)
    if (automaton === undefined) this.#embedded.set(language, (automaton = deterministic(language, this.#alphabet)))
    const { next, accepts: accepted } = automaton
    const end = this.#place()
    const places = Array.from(accepted, () => this.#place())
    if (places.length > 0) this.#connect(from, places[0]!)
    places.forEach((place, state) => {
      if (accepted[state] === 1) this.#connect(place, end)
      for (const [target, letters] of lettersByTarget(next, state, this.#alphabet.size))
        this.#steps[place]!.push({ letters, target: places[target]! })
    })
    return end
  }

  #close(places: Iterable<number>): readonly number[] {
    const found = new Set<number>()
    for (const place of places) for (const reached of this.#closureOf(place)) found.add(reached)
    return [...found].sort((a, b) => a - b)
  }

  // Only places that read a character, and the ends of texts, tell sets of places apart.
  #closureOf(place: number): readonly number[] {
    const known = this.#closures.get(place)
    if (known !== undefined) return known
    const seen = new Set([place])
    const waiting = [place]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
      for (const next of this.#free[at]!)
        if (!seen.has(next)) {
          seen.add(next)
          waiting.push(next)
        }
    const closure = [...seen].filter((at) => this.#steps[at]!.length > 0 || this.#free[at]!.length === 0)
    this.#closures.set(place, closure)
    return closure
  }
}

export function lettersByTarget(next: Int32Array, state: number, size: number): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let letter = 0; letter < size; letter++) {
    const target = next[state * size + letter]!
    if (target === NOWHERE) continue
    const letters = found.get(target)
    if (letters === undefined) found.set(target, [letter])
    else letters.push(letter)
  }
  return found
}
