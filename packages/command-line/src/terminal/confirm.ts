// Asks questions at the terminal.

import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import type { Output } from './screen.ts'

export interface Input extends Readable {
  isTTY?: boolean
}

/** Anything but yes is no, and so is the end of the input. */
export async function confirm(question: string, input: Readable, output: Output): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `, input, output))
}

/** The next line; empty at the end of the input. */
export async function ask(question: string, input: Readable, output: Output): Promise<string> {
  output.write(question)
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}
