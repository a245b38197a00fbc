// The fixed texts around calls and their arguments, as part of a grammar.

import { blank, characters, type Expression, type GrammarRules, repeat, sequence } from '@hearth/json-schema-grammar'
import type { Wording } from '../../formats/tool-syntax.ts'

export function wordingExpression(wording: Wording, rules: GrammarRules): Expression {
  return sequence(
    ...wording.map((part) => {
      if (typeof part === 'string') return textExpression(part, rules)
      return placeExpression(part.any)
    }),
  )
}

function placeExpression(any: 'id' | 'number' | 'word'): Expression {
  if (any === 'number') return repeat(characters([0x30, 0x39]), 1, 3)
  if (any === 'word') return repeat(characters([0x61, 0x7a]), 1, 12)
  return repeat(characters([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]), 9, 9)
}

// Models are careless about the space after a colon or comma.
function textExpression(text: string, rules: GrammarRules): Expression {
  return sequence(...text.split(/(?<=[,:]) /).flatMap((part, index) => (index === 0 ? [part] : [blank(rules), part])))
}
