// Numbers: a range where that is enough, an automaton for the rest.

import type { Expression } from '../grammar/expression.ts'
import { toExpression } from '../language/to-expression.ts'
import { writePlain } from '../grammar/write-characters.ts'
import type { NumberShape } from '../shape/shape.ts'
import { locate } from '../shape/pattern.ts'
import type { Conversion } from './conversion.ts'
import { anyInteger, anyNumber } from './json-text.ts'
import { numberAutomaton } from './number-automaton.ts'
import { decimalRange, integerRange } from './number-range.ts'
import { NothingFits, below } from '../schema/schema-error.ts'

export function numberExpression(shape: NumberShape, path: string, conversion: Conversion): Expression {
  const { low, high } = shape
  const { rules } = conversion
  const isWhole = shape.isInteger === true || (shape.isInteger === undefined && shape.multiples.includes(1))
  if (!isRange(shape))
    return automatonExpression({ ...shape, isInteger: isWhole ? true : shape.isInteger }, path, conversion)
  if (low === undefined && high === undefined) return isWhole ? anyInteger(rules) : anyNumber(rules)
  return rules.share(`${isWhole ? 'integer' : 'number'} ${JSON.stringify([low, high])}`, () => {
    const range = isWhole ? integerRange(low, high) : decimalRange(low, high)
    if (range === undefined) throw new NothingFits(path, 'no number is between "minimum" and "maximum"')
    return range
  })
}

function isRange({ isInteger, multiples, notMultiples, excluded }: NumberShape): boolean {
  const others = multiples.filter((multiple) => multiple !== 1)
  return isInteger !== false && others.length === 0 && notMultiples.length === 0 && excluded.length === 0
}

function automatonExpression(shape: NumberShape, path: string, { rules, expander }: Conversion): Expression {
  return rules.share(`number ${JSON.stringify(shape)}`, () => {
    const automaton = locate(below(path, 'multipleOf'), () => numberAutomaton(shape, expander.work))
    if (automaton.accepts.length === 0) throw new NothingFits(path, 'no number satisfies all keywords')
    return toExpression(automaton, writePlain, rules)
  })
}
