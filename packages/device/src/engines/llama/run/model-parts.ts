// A loaded model, ready for jobs.

import { BatchLoop, type BatchLoopOptions } from '../decode/batch-loop.ts'
import { createCheckpoints } from '../decode/slots/checkpoints.ts'
import type { ModelParts } from './chat-run.ts'
import { GrammarCache } from './constraints.ts'
import type { ModelProfile } from './model-profile.ts'
import type { Native } from '../native/native.ts'
import { tokenOrderOf } from '../native/token-order.ts'

export function createModelParts(
  native: Native,
  profile: ModelProfile,
  options: Pick<BatchLoopOptions, 'onStep' | 'guessing' | 'isStrict'> = {},
): ModelParts {
  // Read now, because later it would hold up running jobs.
  tokenOrderOf(native.vocabulary)
  return {
    native,
    profile,
    loop: new BatchLoop(native.context, { ...native, ...options, checkpoints: createCheckpoints(native) }),
    grammars: new GrammarCache(native),
  }
}
