// IBM Granite 3: a JSON list of calls after a control token. Its template shows no calls. When it thinks, it also marks its answer.

import type { Family } from './family.ts'

export const GRANITE3: Family = {
  name: 'Granite 3',
  has: ['<|tool_call|>', '<|start_of_role|>'],
  lacks: ['<tool_call>'],
  tools: {
    begin: ['<|tool_call|>[{"name": "'],
    middle: ['", "arguments": '],
    between: ['}, {"name": "'],
    end: ['}]'],
    triggers: [{ text: '<|tool_call|>', isOnlyFirst: false }],
  },
  content: { before: ['<response>'], around: ['</response>'] },
}
