// Kimi K3: tags made of <|open|>, <|sep|> and <|close|>. The prompt opens the thinking; the model may skip it and open its response.

import type { Family } from './family.ts'

export const KIMI_K3: Family = {
  name: 'Kimi K3',
  has: ['<|open|>', '<|sep|>', '<|close|>'],
  tools: {
    begin: ['<|open|>tools<|sep|><|open|>call tool="'],
    middle: ['" index="', { any: 'number' }, '"<|sep|>'],
    between: ['<|close|>call<|sep|><|open|>call tool="'],
    end: ['<|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>'],
    tags: {
      keyOpen: '<|open|>argument key="',
      assign: '" type="',
      valueClose: '<|close|>argument<|sep|>',
      glue: '',
      stringOpen: 'string"<|sep|>',
      stringClose: '',
      otherOpen: [{ any: 'word' }, '"<|sep|>'],
    },
    triggers: [{ text: '<|open|>tools<|sep|>', isOnlyFirst: false }],
  },
  thinking: {
    begin: '<|open|>think<|sep|>',
    end: '<|close|>think<|sep|>',
    alsoEnds: ['<|open|>response<|sep|>'],
  },
  content: { around: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'] },
}
