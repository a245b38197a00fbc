// Finds out which features work on a loaded model. Each one is tried with a job of a few tokens; those that fail are not announced.

import { FEATURES, type ChatEvent, type ChatJob, type Feature } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import { ChatRun, type ModelParts } from './chat-run.ts'

interface Outcome {
  texts: string
  end: Extract<ChatEvent, { type: 'end' }>
  events: readonly ChatEvent[]
}

interface Trial {
  job: Partial<ChatJob>
  isRight: (outcome: Outcome) => boolean
}

/** Throws EngineError if the model fails even the simplest job. */
export async function probeFeatures(parts: ModelParts, off: readonly Feature[] = []): Promise<Feature[]> {
  const trials = makeTrials(parts)
  await tryOut(parts, SIMPLEST).catch(cannotServe)
  const works: Feature[] = []
  for (const feature of FEATURES.filter((name) => !off.includes(name))) {
    const trial = trials[feature]
    if (trial !== undefined && (await passes(parts, trial))) works.push(feature)
  }
  return works
}

const SIMPLEST: ChatJob = { model: '', messages: [{ role: 'user', content: 'Hi' }], temperature: 0, maxTokens: 1 }

function cannotServe(cause: unknown): never {
  throw new EngineError('failed', "Can't serve this model: it doesn't reply to a simple message", { cause })
}

function makeTrials({ native: { vocabulary } }: ModelParts): Partial<Record<Feature, Trial>> {
  const [forced = 0] = vocabulary.tokenize('a', false)
  const tool = { name: 'probe', parameters: { type: 'object', properties: { a: { type: 'string' } } } }
  return {
    usage: { job: {}, isRight: ({ end }) => (end.usage?.promptTokens ?? 0) > 0 && end.usage?.completionTokens === 1 },
    json_object: { job: { responseFormat: { type: 'json_object' } }, isRight: ({ texts }) => texts.startsWith('{') },
    json_schema: {
      job: { responseFormat: { type: 'json_schema', name: 'probe', schema: { const: 7 } }, maxTokens: 4 },
      isRight: ({ texts, end }) => texts === '7' && end.finishes[0] === 'stop',
    },
    tools: { job: { tools: [tool] }, isRight: () => true },
    logprobs: { job: { logprobs: { top: 2 } }, isRight: ({ events }) => events.every(hasLogprobs) },
    n: { job: { n: 2 }, isRight: ({ end }) => end.finishes.length === 2 },
    logit_bias: { job: { logitBias: { [forced]: 100 } }, isRight: ({ texts }) => texts.includes('a') },
    prefix_scope: {
      job: { prefixScope: { name: 'probe', isSeparate: true } },
      isRight: ({ end }) => end.usage?.ownCachedTokens !== undefined,
    },
    reasoning_effort: { job: { reasoningEffort: 'high' }, isRight: () => true },
  }
}

function hasLogprobs(event: ChatEvent): boolean {
  if (event.type !== 'text') return true
  return event.logprobs?.length === 1 && event.logprobs.every(({ logprob, top }) => logprob <= 0 && top.length === 2)
}

async function passes(parts: ModelParts, { job, isRight }: Trial): Promise<boolean> {
  try {
    const outcome = await tryOut(parts, { ...SIMPLEST, ...job })
    // A model that thinks first uses up the few tokens of a trial before it writes any content.
    return isRight(outcome) || (outcome.end.usage?.reasoningTokens ?? 0) > 0
  } catch {
    return false
  }
}

function tryOut(parts: ModelParts, job: ChatJob): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const events: ChatEvent[] = []
  const run = new ChatRun(parts, job, {
    event: (event) => events.push(event),
    progress: () => undefined,
    end: (error) => {
      const end = events.at(-1)
      if (end?.type !== 'end') return reject(error ?? new Error('the trial did not end'))
      resolve({ events, end, texts: events.map((event) => (event.type === 'text' ? event.text : '')).join('') })
    },
  })
  void run.start()
  return promise
}
