import { runAdmin } from '../admin/command-line.ts'

interface Result {
  code: number
  out: string
  error: string
}

/** Runs a command of the operator in this process. */
export async function admin(environment: Record<string, string>, ...words: string[]): Promise<Result> {
  const printed = { out: '', error: '' }
  const code = await runAdmin(words, {
    environment,
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.error += text) },
  })
  return { code, ...printed }
}
