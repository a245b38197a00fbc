// The process that tries a back end once. It may abort, hang or compute nonsense, and that is why it is a process of its own.

import { watchSelf } from '../../../watch/watch-self.ts'
import type { FailureCode } from '../../../gpu/explain-failure.ts'
import { ProofError, proveBackend, type ProofOptions } from '../native/prove-backend.ts'

export type TrialReply = { type: 'proved' } | { type: 'failed'; code?: FailureCode; why: string }

async function tryOnce(options: ProofOptions): Promise<TrialReply> {
  try {
    await proveBackend(options)
    return { type: 'proved' }
  } catch (error) {
    const code = error instanceof ProofError ? { code: error.code } : {}
    return { type: 'failed', ...code, why: error instanceof Error ? error.message : String(error) }
  }
}

watchSelf()
process.once('message', (options: ProofOptions) => {
  void tryOnce(options).then((reply) => process.send?.(reply, () => process.exit(0)))
})
process.on('disconnect', () => process.exit(0))
