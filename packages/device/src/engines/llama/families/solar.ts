// Solar Open: thinking and content are messages of their own, each with a header.

import type { Family } from './family.ts'

export const SOLAR: Family = {
  name: 'Solar Open',
  has: ['<|think|>', '<|tool_call:begin|>'],
  thinking: { begin: '<|think|>', end: '<|end|>', alsoEnds: ['<|begin|>assistant<|content|>'] },
  content: { around: ['<|begin|>assistant<|content|>', '<|begin|>assistant', '<|content|>'] },
}
