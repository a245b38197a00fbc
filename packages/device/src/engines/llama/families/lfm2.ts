// Liquid LFM2 and LFM2.5: calls as in Python, in a list. Some of their templates show no calls at all.

import type { Family } from './family.ts'

export const LFM2: Family = {
  name: 'LFM2',
  has: ['List of tools: ', '<|im_start|>'],
  tools: {
    begin: ['<|tool_call_start|>['],
    middle: ['('],
    between: ['), '],
    end: [')]<|tool_call_end|>'],
    tags: { keyOpen: '', assign: '=', valueClose: '', glue: ', ', stringOpen: '"', stringClose: '"' },
    triggers: [{ text: '<|tool_call_start|>', isOnlyFirst: false }],
  },
}
