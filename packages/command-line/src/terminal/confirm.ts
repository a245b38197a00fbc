// Asks a question at the terminal that is answered with yes or no.

import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import type { Output } from './screen.ts'

export interface Input extends Readable {
  isTTY?: boolean
}

/** Anything but yes is no, and so is the end of the input. */
export async function confirm(question: string, input: Readable, output: Output): Promise<boolean> {
  output.write(`${question} [y/N] `)
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line)
    return false
  } finally {
    lines.close()
  }
}
