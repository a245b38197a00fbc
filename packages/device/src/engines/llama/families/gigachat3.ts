// GigaChat 3: a call is a message of its own, which the model begins itself.

import type { Family } from './family.ts'

export const GIGACHAT3: Family = {
  name: 'GigaChat 3',
  has: ['<|message_sep|>', '<|role_sep|>'],
  lacks: ['<|function_call|>'],
  tools: {
    begin: ['<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "'],
    middle: ['", "arguments": '],
    end: ['}'],
    triggers: [{ text: '<|message_sep|>\n\nfunction call<|role_sep|>', isOnlyFirst: false }],
  },
}
