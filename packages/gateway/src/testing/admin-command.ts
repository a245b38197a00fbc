import { Readable } from 'node:stream'
import { runAdmin } from '../admin/command-line.ts'

export interface Result {
  code: number
  out: string
  error: string
}

/** Runs a command of the operator in this process. */
export async function admin(environment: NodeJS.ProcessEnv, ...words: string[]): Promise<Result> {
  return answeredAdmin(undefined, environment, ...words)
}

/** With the operator's answer to its question. */
export async function answeredAdmin(
  answer: string | undefined,
  environment: NodeJS.ProcessEnv,
  ...words: string[]
): Promise<Result> {
  const printed = { out: '', error: '' }
  const code = await runAdmin(words, {
    environment,
    ...(answer !== undefined && { stdin: Object.assign(Readable.from([`${answer}\n`]), { isTTY: true }) }),
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.error += text) },
  })
  return { code, ...printed }
}
