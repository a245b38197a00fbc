// Makes the automaton of a language. Plain regular expressions become a nondeterministic automaton
// first; intersections and inversions work on deterministic ones.

import { alphabetOf, commonAlphabet } from './alphabet.ts'
import { NOWHERE, isEmptyLanguage, rowOf, shortestText, withLetters, type Automaton } from './automaton.ts'
import { boundRepeats, type BoundedAutomaton } from './bound-repeats.ts'
import { explore } from './explore.ts'
import { ANY_TEXT, PatternError, allOf, type Language } from './language.ts'
import { countLength, limitLength, type Length } from './limit-length.ts'
import { minimize } from './minimize.ts'
import { Places } from './places.ts'
import { product, split, type Cell } from './product.ts'
import type { WorkBudget } from './work-budget.ts'
import { getOrMake } from '../get-or-make.ts'

/** Each state becomes a grammar rule. */
const MAX_RULES = 1200
/** The work that every automaton takes, however small it is. */
const LEAST_WORK = 1000

/** Patterns and formats come up alone and as part of others. */
const known = new WeakMap<Language, Automaton>()

/** The automaton of a language, however large. Throws PatternError if that can't be known. */
export function compile(language: Language, work: WorkBudget): Automaton {
  return getOrMake(known, language, () => minimize(deterministic(language, work), work))
}

/**
 * The texts of `required`, split by the languages that they are in. Those that are in none of them
 * are left out unless `hasOthers`.
 */
export function compileCells(
  required: readonly Automaton[],
  languages: readonly Automaton[],
  hasOthers: boolean,
  work: WorkBudget,
): Cell[] {
  const isRequired = (accepting: readonly boolean[]) => accepting.slice(languages.length).every(Boolean)
  return split(withCommonLetters([...languages, ...required]), hasOthers, isRequired, work).map(
    ({ accepting, automaton }) => ({
      accepting: accepting.slice(0, languages.length),
      automaton: (left) => requireFew(automaton(left)),
    }),
  )
}

function withCommonLetters(automata: readonly Automaton[]): readonly Automaton[] {
  if (automata.length === 1) return automata
  const { alphabet, origins } = commonAlphabet(automata.map((automaton) => automaton.alphabet))
  return automata.map((automaton, index) => withLetters(automaton, alphabet, origins[index]!))
}

/** Like `compile`, for texts that become part of a grammar, where a loop can be counted. */
export function compileText(language: Language, work: WorkBudget): BoundedAutomaton {
  const parts = language.type === 'all' ? language.parts : [language]
  const lengths = parts.filter((part) => part.type === 'length')
  const others = parts.filter((part) => part.type !== 'length')
  const plain = compile(lengths.length === 0 ? language : allOf(...others), work)
  const length = lengths.length === 0 || isEmptyLanguage(plain) ? undefined : commonLength(lengths, plain)
  const bounded = length && boundRepeats(plain, length, work)
  if (bounded !== undefined) return { ...bounded, automaton: requireFew(bounded.automaton) }
  const limited = length === undefined ? plain : minimize(limitLength(plain, length, work), work)
  return { automaton: requireFew(limited), repeats: new Map() }
}

/** The length that satisfies all of them. A minimum that every text has anyway is none. */
function commonLength(lengths: readonly Length[], automaton: Automaton): Length {
  const min = Math.max(...lengths.map((length) => length.min))
  return {
    min: shortestText(automaton) >= min ? 0 : min,
    max: Math.min(...lengths.map((length) => length.max)),
    share: Math.max(...lengths.map(({ share = 1 }) => share)),
  }
}

/** Throws PatternError if there are too many states. */
export function requireFew(automaton: Automaton): Automaton {
  if (automaton.accepts.length > MAX_RULES) throw new PatternError(`it needs more than ${MAX_RULES} states`)
  return automaton
}

function deterministic(language: Language, work: WorkBudget): Automaton {
  work.spend(LEAST_WORK)
  switch (language.type) {
    case 'all':
      return intersection(language.parts, work)
    case 'not':
      return inverted(compile(language.part, work), work)
    case 'length':
      return countLength(compile(ANY_TEXT, work), language, work)
    case 'none':
    case 'empty':
    case 'characters':
    case 'sequence':
    case 'choice':
    case 'repeat':
      return new Places(alphabetOf(language), work, (part) => compile(part, work)).compile(language)
    default:
      return language satisfies never
  }
}

// Lengths come last: their automata are long, and only the part that the others reach has to be
// built.
function intersection(parts: readonly Language[], work: WorkBudget): Automaton {
  const lengths = parts.filter((part) => part.type === 'length')
  const others = parts.filter((part) => part.type !== 'length').map((part) => compile(part, work))
  const [first = compile(ANY_TEXT, work), ...rest] = withCommonLetters(others)
  const joined = rest.length === 0 ? first : product(first, rest, work)
  return lengths.reduce<Automaton>((automaton, length) => limitLength(automaton, length, work), joined)
}

function inverted(automaton: Automaton, work: WorkBudget): Automaton {
  const sink = automaton.accepts.length
  return explore(
    {
      alphabet: automaton.alphabet,
      start: 0,
      isAccepted: (key) => key === sink || automaton.accepts[key] !== 1,
      follow: (key, targets) => {
        if (key === sink) targets.fill(sink)
        else targets.set(rowOf(automaton, key).map((target) => (target === NOWHERE ? sink : target)))
      },
    },
    work,
  )
}
