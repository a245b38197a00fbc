// Requests to /openai/v1.

import type { Random } from '@hearth/gateway/testing'
import { FULL, LONELY } from '../../harness/seed.ts'
import { WEATHER } from '../../harness/client/weather-tool.ts'
import type { HttpInput } from '../input.ts'
import { formatRequest } from './http-request.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'

const TOOL = { type: 'function', function: { ...WEATHER.function, strict: true } }
const FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'n', schema: { type: 'object', properties: { a: { $ref: '#' } }, additionalProperties: false } },
}
const HI = { role: 'user', content: 'hi' }
const TALK = [
  { role: 'system', content: 'You are brief.' },
  HI,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'sunny' }] },
]

/** Bodies that are fine as they are. */
const BODIES: readonly object[] = [
  { model: FULL, messages: [HI] },
  { model: LONELY, messages: [HI] },
  { model: FULL, messages: TALK, tools: [TOOL], tool_choice: 'auto', parallel_tool_calls: false },
  { model: FULL, messages: [HI], response_format: FORMAT, max_completion_tokens: 5 },
  { model: FULL, messages: [HI], n: 3, logprobs: true, top_logprobs: 5, stop: ['t3'], temperature: 0.5 },
  { model: FULL, messages: [HI], logit_bias: { 50256: -100 }, seed: 7, user: 'u', metadata: { a: 'b' } },
  { model: FULL, messages: [HI], web_search_options: { search_context_size: 'low' }, reasoning_effort: 'low' },
]

export function createApiInput(random: Random): HttpInput {
  const headers = [['authorization', random.chance(0.95) ? 'Bearer {{KEY}}' : 'Bearer sk-hearth-wrong'] as const]
  if (random.chance(0.1)) return formatRequest({ method: 'GET', path: modelsPath(random), headers }, random)
  const body = createBody(random)
  const plan = { method: 'POST', path: '/openai/v1/chat/completions', body }
  return formatRequest({ ...plan, headers: [...headers, ['content-type', 'application/json']] }, random)
}

function createBody(random: Random): string {
  const stream = random.chance(0.5) ? { stream: true, stream_options: { include_usage: random.chance(0.5) } } : {}
  const whole = { ...random.pick(BODIES), ...stream }
  const text = JSON.stringify(random.chance(0.8) ? mutateJson(whole, random, random.between(1, 3)) : whole)
  return random.chance(0.1) ? mutateBytes(text, random, random.between(1, 5)) : text
}

function modelsPath(random: Random): string {
  const model = random.pick([
    '',
    `/${FULL}`,
    '/__proto__',
    '/%2e%2e%2fmodels',
    '/acme%2Fchat:7b',
    `/${'m'.repeat(500)}`,
  ])
  return `/openai/v1/models${model}`
}
