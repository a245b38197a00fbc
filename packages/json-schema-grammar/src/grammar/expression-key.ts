// A text that is equal for equal expressions, so that a grammar has each rule only once.

import type { Expression } from './expression.ts'

export function keyOf(expression: Expression): string {
  switch (expression.type) {
    case 'literal':
      // With its length in front, no text can look like the end of the literal.
      return `${expression.length}.${expression.text.length}"${expression.text}`
    case 'characters':
      return `[${expression.ranges.join(' ')}]`
    case 'rule':
      return expression.name
    case 'sequence':
      return keysOf(expression.parts, '(', ')')
    case 'choice':
      return keysOf(expression.options, '<', '>')
    case 'repeat':
      return `${keyOf(expression.part)}{${expression.min},${expression.max}}`
    case 'distinct':
    case 'item':
      return `${expression.type}(${keyOf(expression.part)})`
    default:
      return expression satisfies never
  }
}

function keysOf(expressions: readonly Expression[], open: string, close: string): string {
  let key = open
  for (const expression of expressions) key += `${keyOf(expression)} `
  return key + close
}
