import { loadWindowed } from '../testing/load-windowed.ts'
import { HYBRIDS } from '../testing/random-models.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { describeCheckpointedLoop } from './checkpointed-loop.contract.ts'

const [SLOTS, CONTEXT] = [4, 2048]

for (const architecture of HYBRIDS)
  describeCheckpointedLoop(`a hybrid model (${architecture})`, architecture, (path) =>
    loadTinyModel({ path, slots: SLOTS, contextLength: CONTEXT }),
  )

describeCheckpointedLoop('a model that keeps only a window of tokens', 'gemma3', (path) =>
  loadWindowed(path, SLOTS, CONTEXT),
)
