// Parses settings about local servers. Each parser throws an Error that says which values are valid.

import { USUAL_PLACES } from '../engines/openai-server/server/discover-servers.ts'
import { readServerAddress } from '../engines/openai-server/http/server-address.ts'

/** `auto` means all the addresses where local servers usually listen. */
export function serverAddresses(text: string): string[] {
  if (text === 'auto') return USUAL_PLACES
  return listed(text).map((address) => readServerAddress(address).root)
}

/** Maps the name a model is served under to its name on the server: `chat=qwen3:8b,llama3.2`. */
export function servedNames(text: string): Record<string, string> {
  return Object.fromEntries(
    listed(text).map((entry) => {
      const at = entry.indexOf('=')
      const [name, model] = at < 0 ? [entry, entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
      if (name === '' || model === '') throw new Error('use model names, or name=model, separated by commas')
      return [name, model]
    }),
  )
}

export function secret(text: string): string {
  return text.trim()
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
