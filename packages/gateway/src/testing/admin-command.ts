import { runCommandLine } from '../admin/command-line.ts'

interface Result {
  code: number
  out: string
  error: string
}

/** Runs a command of the operator in this process. */
export async function admin(environment: Record<string, string>, ...words: string[]): Promise<Result> {
  const printed = { out: '', error: '' }
  const code = await runCommandLine(words, {
    environment,
    print: (text) => (printed.out += `${text}\n`),
    printError: (text) => (printed.error += `${text}\n`),
  })
  return { code, ...printed }
}
