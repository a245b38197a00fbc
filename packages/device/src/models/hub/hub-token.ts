// Finds the owner's token for Hugging Face: where Hugging Face's own tools look for it, unless it is set for this app.

import { homedir } from 'node:os'
import { join } from 'node:path'
import { readText } from '../../system/read-text.ts'

export function hubToken(
  configured: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return configured ?? (environment['HF_TOKEN'] || savedToken(environment))
}

/** As `hf auth login` saves it. */
function savedToken(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = environment['HF_HOME'] || join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'huggingface')
  return readText(environment['HF_TOKEN_PATH'] || join(home, 'token'))?.trim() || undefined
}
