// What the contract asks of an engine, or a server, with the tiny model.

import type { ContractOptions } from '../engine.contract.ts'
import { WEATHER } from '../llama/testing/tiny-engine.ts'

export const TINY_CONTRACT: Omit<ContractOptions, 'features'> = {
  model: 'tiny',
  longQuestion: 'Tell me a story.',
  tokens: [
    { id: 65, text: 'A' },
    { id: 66, text: 'B' },
  ],
  toolQuestion: { question: 'What is the weather in Oslo?', tool: WEATHER },
}
