import { randomUUID } from 'node:crypto'
import type { PrefixScope } from '@hearth/protocol'
import type { EngineScope } from '../../engines/engine.ts'

/**
 * Nobody but its client may reuse what was computed for a sealed prompt, or the gateway could guess the prompt word by word: it sees how much
 * of a job was computed before. So the name is a secret of the client, who seals it into the job. Without one, nothing is reused.
 */
export function privateScope(gateway: PrefixScope | undefined, client: PrefixScope | undefined): EngineScope {
  const secret = client?.name ?? randomUUID()
  return { name: `sealed ${secret} ${gateway?.name ?? ''}`, isSeparate: true, isPrivate: true }
}
