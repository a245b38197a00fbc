// Simple patterns, like `^[a-z]{1,64}-\d+$`, are written as they are: that is shorter than an
// automaton, and a reader is never in two places at once either.

import { counted } from '../grammar/counted.ts'
import { invertRanges, sequence, type CharacterRange, type Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import type { Language } from './language.ts'
import type { WriteCharacters } from '../grammar/write-characters.ts'

interface Run {
  ranges: readonly CharacterRange[]
  min: number
  max: number
}

/**
 * Undefined if the language is not a row of character classes that each end where the next begins.
 */
export function directExpression(
  language: Language,
  write: WriteCharacters,
  rules: GrammarRules,
): Expression | undefined {
  const runs = withLength(language)
  if (runs === undefined || runs.some(({ min, max }) => min > max)) return undefined
  if (!runs.every((run, index) => isFollowedClearly(run, runs, index))) return undefined
  return sequence(...runs.map(({ ranges, min, max }) => counted(write(ranges), min, max, rules)))
}

function toRuns(language: Language): Run[] | undefined {
  const runs = (language.type === 'sequence' ? language.parts : [language]).map(toRun)
  return runs.every((run) => run !== undefined) ? runs : undefined
}

// A length is easy if only one class can be repeated: the others take what they take, and it gets
// the rest.
function withLength(language: Language): Run[] | undefined {
  if (language.type !== 'all') return toRuns(language)
  const [row, length, ...more] = language.parts
  if (row === undefined || length?.type !== 'length' || more.length > 0) return undefined
  const runs = toRuns(row)
  const open = runs?.filter(({ min, max }) => min !== max) ?? []
  if (runs === undefined || open.length !== 1) return undefined
  const taken = runs.reduce((sum, run) => sum + (run === open[0] ? 0 : run.min), 0)
  return runs.flatMap((run) => {
    if (run !== open[0]) return [run]
    return [{ ...run, min: Math.max(run.min, length.min - taken), max: Math.min(run.max, length.max - taken) }]
  })
}

function toRun(part: Language): Run | undefined {
  if (part.type === 'characters') return writable({ ranges: part.ranges, min: 1, max: 1 })
  if (part.type !== 'repeat' || part.part.type !== 'characters') return undefined
  return writable({ ranges: part.part.ranges, min: part.min, max: part.max })
}

// Control characters are left to the automaton, which drops them.
function writable(run: Run): Run | undefined {
  const printable = intersect(run.ranges, [
    [0x20, 0x7e],
    [0xa0, 0xd7_ff],
    [0xe0_00, 0x10_ff_ff],
  ])
  return printable.length === 0 ? undefined : run
}

function isFollowedClearly(run: Run, runs: readonly Run[], index: number): boolean {
  if (run.min === run.max) return true
  for (const next of runs.slice(index + 1)) {
    if (intersect(run.ranges, next.ranges).length > 0) return false
    if (next.min > 0) return true
  }
  return true
}

function intersect(a: readonly CharacterRange[], b: readonly CharacterRange[]): readonly CharacterRange[] {
  return invertRanges([...invertRanges(a), ...invertRanges(b)])
}
