import { runHearth } from '../harness/processes/hearth-command.ts'

/** Runs `hearth …` as it is in the documentation, and returns what it printed. */
export async function runCommand(words: string[], environment: Record<string, string> = {}): Promise<string> {
  console.log(`  $ hearth ${words.join(' ')}`)
  const { code, out, error } = await runHearth(words, { cwd: '/', environment })
  if (code !== 0) throw new Error(`hearth ${words.join(' ')} ended with ${code}: ${error || out}`)
  return out
}
