// Llama 3.x: bare JSON. The model also writes it after the token that begins code, or in the form of the tool list.

import type { ToolSyntax, Wording } from '../../formats/tool-syntax.ts'
import type { Family } from './family.ts'

const SLIPS: readonly Wording[] = [
  ['<|python_tag|>{"name": "'],
  ['<|python_tag|>{"type": "function", "name": "'],
  ['{"type": "function", "name": "'],
  ['{"function": "'],
]

export const LLAMA3: Family = {
  name: 'Llama 3',
  has: ['Environment: ipython', '"parameters": '],
  adapt: (learned) => (isBareJson(learned) ? withSlips(learned) : learned),
}

function isBareJson({ begin: [text] }: ToolSyntax): boolean {
  return typeof text === 'string' && text.startsWith('{')
}

function withSlips(learned: ToolSyntax): ToolSyntax {
  const triggers = [
    ...learned.triggers,
    { text: '<|python_tag|>{', isOnlyFirst: false },
    { text: '{"type": "function"', isOnlyFirst: true },
    { text: '{"type":"function"', isOnlyFirst: true },
    { text: '{"function": "', isOnlyFirst: true },
  ]
  return { ...learned, slips: SLIPS, triggers }
}
