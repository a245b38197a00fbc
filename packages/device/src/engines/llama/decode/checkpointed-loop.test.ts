import { loadWindowed } from '../testing/load-windowed.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { describeCheckpointedLoop } from './checkpointed-loop.contract.ts'

const [SLOTS, CONTEXT] = [4, 2048]

// One of each kind. All architectures take part in the random conversations of the long run.
for (const architecture of ['qwen35', 'mamba2'] as const)
  describeCheckpointedLoop(`a model with a running state (${architecture})`, architecture, (path) =>
    loadTinyModel({ path, slots: SLOTS, contextLength: CONTEXT }),
  )

describeCheckpointedLoop('a model that keeps only a window of tokens', 'gemma3', (path) =>
  loadWindowed(path, SLOTS, CONTEXT),
)
