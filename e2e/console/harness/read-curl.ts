// Parses a copied curl command with a real shell, in which `curl` only prints its arguments.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface CurlCall {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

export async function readCurl(command: string, environment: Record<string, string> = {}): Promise<CurlCall> {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env: environment })
  const words = stdout.split('\0').slice(0, -1)
  const valuesOf = (flag: string) => words.filter((_, index) => words[index - 1] === flag)
  const [body] = valuesOf('-d')
  return {
    url: words.find((word) => /^https?:/.test(word)) ?? '',
    method: valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    headers: Object.fromEntries(valuesOf('-H').map((header) => header.split(/: (.*)/s, 2) as [string, string])),
    body,
  }
}
