// What every server is asked: each field of the interface alone, and fields together. All of it at temperature 0, where the tiny model says what it
// was trained to say.

import type { Choice, Reply } from './ask.ts'

/** What is wrong with a reply; undefined if nothing is. */
export type Check = (reply: Reply) => string | undefined

export interface Case {
  /** The row of the table. */
  field: string
  title: string
  body: object
  check: Check
  /** If the server itself answers differently by its own rules. */
  direct?: Check
  /** False if a server that ignores the field gets it right too. */
  isProof?: false
  /** Only in streams, or only whole. */
  only?: 'stream' | 'whole'
}

const user = (content: string): object[] => [{ role: 'user', content }]
const COUNT = { messages: user('Count from 1 to 9.'), temperature: 0 }
export const COUNTED = '1 2 3 4 5 6 7 8 9.'
const GET_WEATHER = {
  name: 'get_weather',
  description: 'Get the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const TOOLS = [{ type: 'function', function: GET_WEATHER }]
const STRICT = { ...GET_WEATHER, strict: true, parameters: { ...GET_WEATHER.parameters, additionalProperties: false } }
const WEATHER = { messages: user('What is the weather in Oslo?'), temperature: 0, tools: TOOLS }
/** An ordinary token of the tiny model. */
const FORCED = 300
const FOUR = 4

const first = ({ choices }: Reply): Choice => choices[0] ?? { text: '', finish: undefined, calls: [], logprobs: [] }

function all(...checks: readonly Check[]): Check {
  return (reply) => {
    if (reply.status !== 200) return `status ${reply.status}: ${reply.error?.message ?? ''}`
    for (const check of checks) {
      const wrong = check(reply)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}

const says =
  (text: string): Check =>
  (reply) =>
    first(reply).text.trim() === text ? undefined : `says ${JSON.stringify(first(reply).text)}`
const begins: Check = (reply) =>
  COUNTED.startsWith(first(reply).text.trim()) ? undefined : `says ${JSON.stringify(first(reply).text)}`
const ends =
  (finish: string): Check =>
  (reply) =>
    first(reply).finish === finish ? undefined : `ends with ${first(reply).finish}`
const talks: Check = ({ choices }) => (choices.every(({ text }) => text !== '') ? undefined : 'says nothing')
const has =
  (count: number): Check =>
  ({ choices }) =>
    choices.length === count && choices.every(({ finish }) => finish !== undefined)
      ? undefined
      : `gives ${choices.length} choices`
const counts =
  (least: number, most: number): Check =>
  ({ usage }) => {
    if (usage === undefined) return 'counts no tokens'
    return usage.prompt > 5 && usage.completion >= least && usage.completion <= most
      ? undefined
      : `counts ${usage.prompt} + ${usage.completion} tokens`
  }
const calls =
  (...cities: readonly string[]): Check =>
  (reply) => {
    const made = first(reply).calls.map(({ name, arguments: given }) => `${name} ${given.replaceAll(/\s/g, '')}`)
    const wanted = cities.map((city) => `get_weather {"city":"${city}"}`)
    return made.join() === wanted.join() ? undefined : `calls ${made.join(', ') || 'nothing'}`
  }
const weighs =
  (top: number): Check =>
  (reply) => {
    const { text, logprobs } = first(reply)
    if (logprobs.length === 0) return 'gives no logprobs'
    if (logprobs.some((token) => token.top !== top)) return `gives ${logprobs[0]!.top} alternatives`
    const joined = Buffer.from(logprobs.flatMap(({ bytes, token }) => bytes ?? [...Buffer.from(token)])).toString()
    return joined.includes(text.trim()) ? undefined : `gives logprobs of ${JSON.stringify(joined)}`
  }
const holds =
  (accepts: (value: unknown) => boolean): Check =>
  (reply) => {
    try {
      return accepts(JSON.parse(first(reply).text)) ? undefined : `says ${first(reply).text.slice(0, 80)}`
    } catch {
      return `says ${JSON.stringify(first(reply).text.slice(0, 80))}, which is no JSON`
    }
  }
const repeats: Check = (reply) => {
  const { text } = first(reply)
  const unit = text.slice(0, text.length / FOUR)
  return unit !== '' && unit.repeat(FOUR) === text ? undefined : `says ${JSON.stringify(text)}`
}

const STOPPED = all(says('1 2 3 4 5'), ends('stop'))
/** Servers take the stop sequence away, and some what stands before it. */
const STOPPED_THERE = all(begins, ends('stop'))

interface Part {
  keyword: string
  schema: object
  accepts: (value: unknown) => boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Values that nothing but the schema makes. */
const PARTS: readonly Part[] = [
  { keyword: 'enum', schema: { enum: ['vkj', 'jkv'] }, accepts: (value) => value === 'vkj' || value === 'jkv' },
  { keyword: 'const', schema: { const: 'qzx' }, accepts: (value) => value === 'qzx' },
  {
    keyword: 'pattern',
    schema: { type: 'string', pattern: '^[0-9]{3}-[0-9]{4}$' },
    accepts: (value) => isText(value) && /^\d{3}-\d{4}$/.test(value),
  },
  {
    keyword: 'minimum',
    schema: { type: 'integer', minimum: 7_000, maximum: 7_009 },
    accepts: (value) => Number.isInteger(value) && Number(value) >= 7_000 && Number(value) <= 7_009,
  },
  {
    keyword: 'minLength',
    schema: { type: 'string', minLength: 7, maxLength: 7 },
    accepts: (value) => isText(value) && /^.{7}$/su.test(value),
  },
  {
    keyword: 'minItems',
    schema: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 3, maxItems: 3 },
    accepts: (value) => Array.isArray(value) && value.length === 3,
  },
  {
    keyword: 'prefixItems',
    schema: { type: 'array', prefixItems: [{ const: 'qzx' }, { const: 7 }], minItems: 2, maxItems: 2 },
    accepts: (value) => JSON.stringify(value) === '["qzx",7]',
  },
  {
    keyword: 'anyOf',
    schema: { anyOf: [{ const: 'vkj' }, { const: 7 }] },
    accepts: (value) => value === 'vkj' || value === 7,
  },
  {
    keyword: 'format: date',
    schema: { type: 'string', format: 'date' },
    accepts: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value),
  },
]

const schemaFormat = (schema: object): object => ({
  type: 'json_schema',
  json_schema: { name: 'answer', strict: true, schema },
})
const objectOf = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const WORD = schemaFormat(objectOf({ word: { const: 'qzx' } }))
const isWord = holds((value) => (value as { word?: unknown }).word === 'qzx')

export const CASES: readonly Case[] = [
  { field: 'text', title: 'a question', body: COUNT, check: all(says(COUNTED), ends('stop')) },
  {
    field: 'text',
    title: 'all roles',
    body: {
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'Be kind.' },
        ...user('Hello'),
        { role: 'assistant', content: 'Hello! How can I help you today?' },
        ...user('Count from 1 to 9.'),
      ],
    },
    check: all(talks),
  },
  {
    field: 'text',
    title: 'other characters',
    body: { ...COUNT, messages: user('Say hi in Japanese.') },
    check: all(says('こんにちは 🙂')),
  },
  {
    field: 'text',
    title: 'top_p 0',
    body: { messages: COUNT.messages, top_p: 0 },
    check: all(says(COUNTED)),
    direct: all(talks),
  },
  {
    field: 'text',
    title: 'a high temperature',
    body: { ...COUNT, temperature: 2, top_p: 0.5, max_tokens: 32 },
    check: all(talks),
  },
  {
    field: 'penalties',
    title: 'both',
    body: { ...COUNT, frequency_penalty: 2, presence_penalty: 2, max_tokens: 32 },
    check: all(talks),
  },
  {
    field: 'max_tokens',
    title: 'four',
    body: { ...COUNT, max_tokens: FOUR },
    check: all(says('1 2 3 4'), ends('length')),
  },
  {
    field: 'max_tokens',
    title: 'by its newer name',
    body: { ...COUNT, max_completion_tokens: FOUR },
    check: all(says('1 2 3 4'), ends('length')),
  },
  {
    field: 'max_tokens',
    title: 'more than the context',
    body: { ...COUNT, max_tokens: 1_000_000 },
    check: all(says(COUNTED), ends('stop')),
  },
  { field: 'stop', title: 'one token', body: { ...COUNT, stop: ' 5' }, check: STOPPED, direct: STOPPED_THERE },
  {
    field: 'stop',
    title: 'over several tokens',
    body: { ...COUNT, stop: ['4 5'] },
    check: STOPPED,
    direct: STOPPED_THERE,
  },
  {
    field: 'stop',
    title: 'several',
    body: { ...COUNT, stop: ['nothing', '5', '7'] },
    check: STOPPED,
    direct: STOPPED_THERE,
  },
  { field: 'usage', title: 'whole', only: 'whole', body: COUNT, check: all(counts(9, 24)) },
  {
    field: 'usage',
    title: 'in a stream',
    only: 'stream',
    body: { ...COUNT, stream_options: { include_usage: true } },
    check: all(counts(9, 24)),
  },
  {
    field: 'usage',
    title: 'of a limited reply',
    only: 'whole',
    body: { ...COUNT, max_tokens: FOUR },
    check: all(counts(FOUR, FOUR)),
  },
  {
    field: 'usage',
    title: 'of a stopped reply',
    only: 'stream',
    body: { ...COUNT, stop: ' 5', stream_options: { include_usage: true } },
    check: all(counts(5, 7)),
    direct: all(counts(5, 7)),
  },
  { field: 'n', title: 'two', body: { ...COUNT, n: 2 }, check: all(has(2), says(COUNTED)) },
  { field: 'n', title: 'eight', body: { ...COUNT, n: 8, max_tokens: FOUR }, check: all(has(8), says('1 2 3 4')) },
  {
    field: 'n',
    title: 'and its usage',
    only: 'whole',
    body: { ...COUNT, n: 3, max_tokens: FOUR },
    check: all(has(3), counts(FOUR, FOUR)),
  },
  {
    field: 'logprobs',
    title: 'alone',
    isProof: false,
    body: { ...COUNT, logprobs: true },
    check: all(weighs(0)),
    direct: all((reply) => (first(reply).logprobs.length > 0 ? undefined : 'gives no logprobs')),
  },
  {
    field: 'logprobs',
    title: 'with five alternatives',
    body: { ...COUNT, logprobs: true, top_logprobs: 5 },
    check: all(weighs(5)),
  },
  {
    field: 'logprobs',
    title: 'with twenty',
    body: { ...COUNT, logprobs: true, top_logprobs: 20 },
    check: all(weighs(20)),
  },
  {
    field: 'logit_bias',
    title: 'a forced token',
    body: { ...COUNT, logit_bias: { [FORCED]: 100 }, max_tokens: FOUR },
    check: all(repeats),
  },
  { field: 'reasoning_effort', title: 'low', body: { ...COUNT, reasoning_effort: 'low' }, check: all(talks) },
  {
    field: 'json_object',
    title: 'any object',
    isProof: false,
    body: { ...COUNT, messages: user('Describe Ada, 36, as JSON.'), response_format: { type: 'json_object' } },
    check: all(holds((value) => typeof value === 'object')),
  },
  ...PARTS.map(({ keyword, schema, accepts }) => ({
    field: 'json_schema',
    title: keyword,
    body: { ...COUNT, max_tokens: 256, response_format: schemaFormat(objectOf({ value: schema })) },
    check: all(holds((value) => accepts((value as { value?: unknown }).value))),
  })),
  { field: 'tools', title: 'one call', body: WEATHER, check: all(calls('Oslo'), ends('tool_calls')) },
  {
    field: 'tools',
    title: 'two calls',
    body: { ...WEATHER, messages: user('What is the weather in Oslo and Rome?') },
    check: all(calls('Oslo', 'Rome')),
  },
  {
    field: 'tools',
    title: 'no call',
    isProof: false,
    body: { ...WEATHER, messages: user('Hello') },
    check: all(calls(), ends('stop')),
  },
  {
    field: 'tools',
    title: 'none',
    isProof: false,
    body: { ...WEATHER, tool_choice: 'none' },
    check: all(calls(), talks),
  },
  {
    field: 'tools',
    title: 'strict',
    body: { ...WEATHER, tools: [{ type: 'function', function: STRICT }] },
    check: all(calls('Oslo')),
  },
  {
    field: 'tools',
    title: 'a result',
    isProof: false,
    body: {
      ...WEATHER,
      messages: [
        ...WEATHER.messages,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'one', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'one', content: 'sunny' },
      ],
    },
    check: all(calls(), says('It is sunny in Oslo.')),
  },
  {
    field: 'together',
    title: 'n, stop and max_tokens',
    body: { ...COUNT, n: 2, stop: [' 5'], max_tokens: 16 },
    check: all(has(2), says('1 2 3 4 5')),
    direct: all(has(2), begins),
  },
  {
    field: 'together',
    title: 'stop and logprobs',
    body: { ...COUNT, stop: [' 5'], logprobs: true, top_logprobs: 2 },
    check: all(says('1 2 3 4 5'), weighs(2)),
    direct: all(begins, weighs(2)),
  },
  {
    field: 'together',
    title: 'a schema, stop and usage',
    body: { ...COUNT, response_format: WORD, stop: ['nothing'], stream_options: { include_usage: true } },
    only: 'stream',
    check: all(isWord),
  },
  {
    field: 'together',
    title: 'n and a schema',
    body: { ...COUNT, n: 2, response_format: WORD },
    check: all(has(2), isWord),
  },
  {
    field: 'together',
    title: 'tools, usage and a limit',
    body: { ...WEATHER, max_tokens: 128, stream_options: { include_usage: true } },
    only: 'stream',
    check: all(calls('Oslo'), counts(8, 64)),
  },
  { field: 'together', title: 'tools and stop', body: { ...WEATHER, stop: ['nothing'] }, check: all(calls('Oslo')) },
]
