// Runs a command of hearth-seal in this process, and keeps what it prints.

import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runSeal } from '../commands/program.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** With `answers`, somebody sits at the terminal. */
export async function runHere(
  words: readonly string[],
  environment: Record<string, string> = {},
  answers?: readonly string[],
): Promise<Ran> {
  const ran = { code: 0, stdout: '', stderr: '' }
  const left = [...(answers ?? [])]
  const stdin = answers && Object.assign(new PassThrough(), { isTTY: true })
  const print = (text: string) => {
    ran.stdout += stripVTControlCharacters(text)
    if (text.endsWith('[y/N] ')) stdin?.write(`${left.shift() ?? ''}\n`)
  }
  ran.code = await runSeal(words, {
    environment,
    ...(stdin && { stdin }),
    stdout: { write: print },
    stderr: { write: (text) => (ran.stderr += stripVTControlCharacters(text)) },
  })
  return ran
}
