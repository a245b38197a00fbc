// Cohere's models since Command R7B: plan and thinking, response and action each have tags.

import type { Family } from './family.ts'

export const COHERE: Family = {
  name: 'Cohere',
  has: ['<|START_ACTION|>', '<|END_THINKING|>'],
  thinking: { begin: '<|START_THINKING|>', end: '<|END_THINKING|>' },
  content: { around: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'] },
}
