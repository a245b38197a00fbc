// Ling 3: sometimes writes its end token as ordinary text.

import type { Family } from './family.ts'

export const LING3: Family = {
  name: 'Ling 3',
  has: ['<|role_end|>', '<arg_key>'],
  content: { around: ['<|role_end|>'] },
}
