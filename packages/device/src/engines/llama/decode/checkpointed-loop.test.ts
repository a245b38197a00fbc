import { getLlama } from 'node-llama-cpp'
import { toNative, type Native } from '../native/native.ts'
import { HYBRIDS } from '../testing/random-models.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { describeCheckpointedLoop } from './checkpointed-loop.contract.ts'

const [SLOTS, CONTEXT] = [4, 2048]

for (const architecture of HYBRIDS)
  describeCheckpointedLoop(`a hybrid model (${architecture})`, architecture, (path) =>
    loadTinyModel({ path, slots: SLOTS, contextLength: CONTEXT }),
  )

describeCheckpointedLoop('a model that keeps only a window of tokens', 'gemma3', loadWindowed)

async function loadWindowed(modelPath: string): Promise<Native> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: 1,
    logger: () => undefined,
  })
  const model = await llama.loadModel({ modelPath })
  const size = { sequences: SLOTS, contextSize: CONTEXT, batchSize: 512 }
  return toNative(llama, model, await model.createContext({ ...size, swaFullCache: false }))
}
