// Replies that repeat something, and one that doesn't: what assistants are asked for every day.

import { readFileSync } from 'node:fs'

export interface RecitedText {
  readonly name: string
  readonly prompt: string
  readonly reply: string
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const CODE = 'packages/device/src/engines/llama/decode/batch-loop.ts'
const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Niklaus', 'Margaret']

/** In the order of their prompts' lengths. */
export function recitedTexts(): RecitedText[] {
  return [
    {
      name: 'new text',
      prompt: 'Why is usage kept this way?\n',
      reply: read('docs/decisions/0046-a-lone-gateway-is-a-fleet-of-one.md'),
    },
    { name: 'JSON', prompt: 'List the last 40 orders as JSON.\n', reply: JSON.stringify(orders(), undefined, 2) },
    quote(read('CONTRIBUTING.md')),
    edit(read(CODE)),
  ]
}

function quote(text: string): RecitedText {
  const [, ...paragraphs] = text.split('\n\n')
  const quoted = paragraphs.slice(2, 12).map((paragraph) => `You asked about this part:\n\n> ${paragraph}\n\n`)
  return { name: 'quote', prompt: `${text}\n\nWhich rules are there for code? Quote them.\n`, reply: quoted.join('') }
}

/** A file of 300 lines, with a name that changes in many places. */
function edit(code: string): RecitedText {
  const reply = code.replaceAll('running', 'active').replaceAll('#waiting', '#queue')
  return { name: 'edit', prompt: `${code}\n\nCall what is running active, and what waits a queue.\n`, reply }
}

function orders(): object[] {
  return Array.from({ length: 40 }, (_, row) => ({
    order_number: (row * 7_919) % 9_973,
    customer: { name: NAMES[(row * 5) % 8], country: ['US', 'DE', 'JP'][(row * 11) % 3] },
    total: ((row * 6_151) % 50_021) / 100,
    is_paid: row % 3 > 0,
  }))
}
