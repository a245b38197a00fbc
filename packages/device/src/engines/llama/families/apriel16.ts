// Apriel 1.6: the prompt begins the thinking with a sentence, and a headline begins the answer.

import type { Family } from './family.ts'

export const APRIEL16: Family = {
  name: 'Apriel 1.6',
  has: ['[BEGIN FINAL RESPONSE]', 'Here are my reasoning steps:'],
  thinking: { begin: 'Here are my reasoning steps:', end: '[BEGIN FINAL RESPONSE]' },
  content: { around: ['[END FINAL RESPONSE]'] },
}
