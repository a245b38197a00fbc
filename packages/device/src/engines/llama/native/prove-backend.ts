// Proves that a back end computes: lets the built-in model answer a question whose answer is known. Opening a GPU's library, loading a model
// and making a context all succeed on drivers that then abort the process at the first decode, or compute nonsense.

import { getLlama, type Llama, type LlamaModel, type Token } from 'node-llama-cpp'
import type { FailureCode } from '../../../gpu/explain-failure.ts'

export interface ProofOptions {
  gpu: 'cuda' | 'vulkan' | 'metal' | false
  /** The back end's own file. */
  library?: string
  modelPath: string
  question: string
  /** How the answer begins. */
  answer: string
}

/** The back end opens and computes, but not as it should. */
export class ProofError extends Error {
  override name = 'ProofError'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

const MOST_TOKENS = 24
const CONTEXT_LENGTH = 256

/** Throws if the back end can't be opened, has no GPU, or gives another answer. */
export async function proveBackend({ gpu, library, modelPath, question, answer }: ProofOptions): Promise<void> {
  const llama = await openDirect(gpu).catch((error: unknown) => {
    throw library === undefined ? error : notOpened(library)
  })
  if (gpu !== false && (await llama.getGpuDeviceNames()).length === 0) throw noGpu()
  const model = await llama.loadModel({ modelPath, gpuLayers: gpu === false ? 0 : 'max' })
  const text = await answerGreedily(model, question)
  if (!text.startsWith(answer)) throw wrongResult()
}

/** With `debug`, native code prints its messages right away; otherwise the reason for an abort would never leave the process. */
function openDirect(gpu: ProofOptions['gpu']): Promise<Llama> {
  return getLlama({ gpu, build: 'never', skipDownload: true, progressLogs: false, maxThreads: 1, debug: true })
}

/** The library doesn't say why it can't open a back end, but the system does. If it opens, there is no GPU behind it. */
function notOpened(library: string): Error {
  try {
    process.dlopen({ exports: {} }, library)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    // A file that opens is no module for Node, which is the only complaint then. Node gives both errors the same code.
    if (!why.includes('self-register')) return new Error(why)
  }
  return noGpu()
}

async function answerGreedily(model: LlamaModel, question: string): Promise<string> {
  const context = await model.createContext({ sequences: 1, contextSize: CONTEXT_LENGTH, flashAttention: 'auto' })
  const tokens: Token[] = []
  const prompt = model.tokenize(`<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`, true)
  const metadata = { probabilities: true, confidence: true } as const
  const generated = context.getSequence().evaluateWithMetadata(prompt, metadata, { temperature: 0 })
  for await (const { token, probabilities } of generated) {
    checkDistribution(probabilities)
    if (model.isEogToken(token) || tokens.push(token) >= MOST_TOKENS) break
  }
  return model.detokenize(tokens)
}

/** Broken kernels give NaN, or the same probability to every token. */
export function checkDistribution(probabilities: ReadonlyMap<Token, number>): void {
  const values = [...probabilities.values()]
  const isSound = values.every((value) => Number.isFinite(value)) && new Set(values).size > 1
  if (!isSound) throw wrongResult()
}

function noGpu(): ProofError {
  return new ProofError('no-gpu', 'no GPU was found')
}

function wrongResult(): ProofError {
  return new ProofError('wrong-result', 'wrong result')
}
