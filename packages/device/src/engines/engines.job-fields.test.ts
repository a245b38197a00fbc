// Where each engine heeds each field of a job. A new field doesn't compile until both tables say so, and a test reads the files.

import { readFileSync } from 'node:fs'
import type { ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'

/** A file of `src/`. */
type Places = Record<keyof ChatJob, string>

const EMBEDDED: Places = {
  model: 'jobs/job-runner.ts',
  messages: 'engines/llama/run/prompt.ts',
  temperature: 'engines/llama/decode/sampling/sampler.ts',
  topP: 'engines/llama/decode/sampling/sampler.ts',
  maxTokens: 'engines/llama/run/choice.ts',
  stop: 'engines/llama/reply/choice-text.ts',
  frequencyPenalty: 'engines/llama/decode/sampling/sampler.ts',
  presencePenalty: 'engines/llama/decode/sampling/sampler.ts',
  n: 'engines/llama/run/chat-run.ts',
  logprobs: 'engines/llama/reply/choice-text.ts',
  logitBias: 'engines/llama/decode/sampling/sampler.ts',
  responseFormat: 'engines/llama/run/constraints.ts',
  tools: 'engines/llama/run/prompt.ts',
  toolChoice: 'engines/llama/run/prompt.ts',
  reasoningEffort: 'engines/llama/run/prompt.ts',
  webSearch: 'web-search/web-search-engine.ts',
  prefixScope: 'engines/llama/run/chat-run.ts',
  recovery: 'engines/llama/run/choice.ts',
}

const REQUEST = 'engines/openai-server/request/request-body.ts'

const LOCAL_SERVERS: Places = {
  ...EMBEDDED,
  messages: REQUEST,
  temperature: REQUEST,
  topP: REQUEST,
  maxTokens: REQUEST,
  stop: 'engines/openai-server/reply/choice-reader.ts',
  frequencyPenalty: REQUEST,
  presencePenalty: REQUEST,
  n: 'engines/openai-server/run/run-job.ts',
  logprobs: REQUEST,
  logitBias: REQUEST,
  responseFormat: REQUEST,
  tools: REQUEST,
  toolChoice: REQUEST,
  reasoningEffort: REQUEST,
  // Never claimed, so such a job never comes.
  prefixScope: 'engines/openai-server/request/abilities.ts',
  recovery: 'engines/openai-server/request/abilities.ts',
}

describe.each([
  ['the embedded engine', EMBEDDED],
  ['a local server', LOCAL_SERVERS],
])('%s', (_, places) => {
  it.each(Object.entries(places))('heeds %s', (field, path) => {
    const source = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    expect(source).toMatch(new RegExp(`\\b(${field}|${FEATURE_OF[field] ?? field})\\b`))
  })
})

/** What a field that is not claimed is called there. */
const FEATURE_OF: Record<string, string> = { prefixScope: 'prefix_scope', recovery: 'resume' }
