// Asks Hearth and the server behind it the same, and says what that means for a cell of the table.

import { ask, type Reply, type Target } from './ask.ts'
import type { Case } from './cases.ts'

/** `limit`: Hearth says no, and the server itself can't. */
export type Verdict = 'yes' | 'limit' | 'wrong'

export interface Finding {
  field: string
  title: string
  verdict: Verdict
  /** What is wrong, or why the server can't. */
  why: string
}

export interface Pair {
  hearth: Target
  server: Target
}

const REFUSALS = ['unsupported_by_node', 'invalid_json_schema', 'invalid_function_parameters']

export async function judge(one: Case, pair: Pair): Promise<Finding[]> {
  const modes = one.only === undefined ? (['whole', 'stream'] as const) : [one.only]
  const findings: Finding[] = []
  for (const mode of modes) findings.push(await judgeMode(one, pair, mode))
  return findings
}

async function judgeMode(one: Case, { hearth, server }: Pair, mode: 'whole' | 'stream'): Promise<Finding> {
  const { field, body, check, direct = check, isProof = true } = one
  const title = `${one.title}, ${mode}`
  const options = { isStream: mode === 'stream' }
  const reply = await ask(hearth, body, options)
  const wrong = check(reply)
  if (wrong === undefined) return { field, title, verdict: 'yes', why: '' }
  const itself = await ask(server, body, options)
  const missing = direct(itself)
  if (!isRefused(reply)) return { field, title, verdict: 'wrong', why: `${wrong}; directly: ${missing ?? 'right'}` }
  if (missing === undefined && isProof)
    return { field, title, verdict: 'wrong', why: `denied, though it works: ${wrong}` }
  return {
    field,
    title,
    verdict: 'limit',
    why: missing === undefined ? 'the field is ignored' : `the server ${missing}`,
  }
}

function isRefused({ error }: Reply): boolean {
  return error?.code !== undefined && REFUSALS.includes(error.code ?? '')
}
