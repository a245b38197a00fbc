// The features that the engine has on a loaded model. They follow from the engine's own abilities and from the model's vocabulary and
// template, never from its words: a model that begins its replies oddly can do as much as any other.

import { FEATURES, type ChatJob, type Feature } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import { ChatRun, type ModelParts } from './chat-run.ts'
import { assertComputesSensibly } from './computes-sensibly.ts'
import { prepareConstraints } from './constraints.ts'
import { buildPrompt } from './prompt.ts'

/**
 * `always` works on every model; the engine's tests prove it. `found` is looked at below, `around` is done by others, before the
 * job gets here. Models that don't think accept every effort.
 */
const ABILITIES: Record<Feature, 'always' | 'found' | 'around'> = {
  usage: 'always',
  json_object: 'found',
  json_schema: 'found',
  tools: 'found',
  logprobs: 'always',
  n: 'always',
  logit_bias: 'always',
  reasoning_effort: 'always',
  web_search: 'around',
  prefix_scope: 'always',
  resume: 'always',
  sealed: 'around',
}

const TOOL = { name: 'probe_tool', parameters: { type: 'object', properties: { a: { type: 'string' } } } }

/** Throws EngineError if the back end computes nonsense, or if the model can't run the simplest job. */
export async function findFeatures(parts: ModelParts, off: readonly Feature[] = []): Promise<Feature[]> {
  // Grammars are written in a thread, which starts meanwhile.
  const formats = enforcesFormats(parts)
  await assertComputesSensibly(parts.native).catch((error: unknown) => {
    throw error instanceof EngineError ? error : cannotReply(error)
  })
  await assertReplies(parts)
  const features = new Set(FEATURES.filter((feature) => ABILITIES[feature] === 'always'))
  if (await formats) features.add('json_object').add('json_schema')
  if (await offersTools(parts)) features.add('tools')
  return FEATURES.filter((feature) => features.has(feature) && !off.includes(feature))
}

const SIMPLEST: ChatJob = { model: '', messages: [{ role: 'user', content: 'Hi' }], temperature: 0, maxTokens: 1 }

async function enforcesFormats({ grammars, profile: { tools } }: ModelParts): Promise<boolean> {
  const format = { type: 'json_schema', name: 'seven', schema: { const: 7 } } as const
  const request = {
    part: 'answer',
    format,
    syntax: tools.syntax,
    tools: [],
    thinking: undefined,
    dialect: undefined,
  } as const
  try {
    const grammar = await grammars.make(request)
    return grammar.matches('7') && !grammar.matches('8')
  } catch {
    // Whatever goes wrong with the simplest format would go wrong with every other one.
    return false
  }
}

/** Whether a prompt can show a tool, in the template's own words or in general ones, and its calls can be enforced. */
async function offersTools({ profile, grammars }: ModelParts): Promise<boolean> {
  try {
    const job = { ...SIMPLEST, tools: [TOOL] }
    const prompt = await buildPrompt(job, profile)
    await prepareConstraints(job, prompt, profile.dialect, grammars)
    return Buffer.concat(prompt.tokens.map((token) => profile.bytes.raw(token))).includes(TOOL.name)
  } catch {
    // Whatever goes wrong with the simplest tool would go wrong with every other one.
    return false
  }
}

function assertReplies(parts: ModelParts): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isComplete = false
  const run = new ChatRun(parts, SIMPLEST, {
    event: (event) => void (isComplete = event.type === 'end'),
    progress: () => undefined,
    end: (cause) => (isComplete ? resolve() : reject(cannotReply(cause))),
  })
  void run.start()
  return promise
}

function cannotReply(cause: unknown): EngineError {
  const message =
    "Can't serve this model: it doesn't reply to a simple message. If its chat template is broken, set another one under Models in the console"
  return new EngineError('failed', message, { cause })
}
