// Conversations that between them use everything a chat template can express.

import type { JobMessage, JobTool } from '@hearth/protocol'

export interface Conversation {
  name: string
  messages: JobMessage[]
  tools?: JobTool[]
  variables?: Record<string, unknown>
}

const ASK: JobMessage = { role: 'user', content: 'What is the weather in Zürich? 🌦' }
const RULES: JobMessage = { role: 'system', content: 'Be brief.\nNever guess.' }

const WEATHER: JobTool = {
  name: 'get_weather',
  description: 'Looks up the "weather" of a city',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The name of the city' },
      days: { type: 'integer', default: 1 },
      units: { type: 'string', enum: ['metric', 'imperial'] },
    },
    required: ['city'],
  },
}

const SEARCH: JobTool = {
  name: 'search',
  description: 'Searches',
  parameters: {
    type: 'object',
    properties: {
      query: { type: ['string', 'null'] },
      filter: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
      limit: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
  },
}

function called(...calls: [name: string, args: object][]): JobMessage {
  const toolCalls = calls.map(([name, args], index) => ({
    id: `call0000${index}`,
    name,
    arguments: JSON.stringify(args),
  }))
  return { role: 'assistant', content: '', toolCalls }
}

const result = (content: string, index = 0): JobMessage => ({ role: 'tool', content, toolCallId: `call0000${index}` })

export const CONVERSATIONS: readonly Conversation[] = [
  { name: 'a question', messages: [ASK] },
  { name: 'instructions', messages: [RULES, ASK] },
  {
    name: 'several turns',
    messages: [RULES, ASK, { role: 'assistant', content: 'Sunny.' }, { role: 'user', content: 'And <b>now</b>?' }],
  },
  { name: 'tools', messages: [ASK], tools: [WEATHER] },
  { name: 'instructions and tools', messages: [RULES, ASK], tools: [WEATHER, SEARCH] },
  {
    name: 'a call and its result',
    messages: [ASK, called(['get_weather', { city: 'Zürich', days: 2 }]), result('{"sky": "blue"}')],
    tools: [WEATHER],
  },
  {
    name: 'two calls and their results',
    messages: [
      ASK,
      called(['get_weather', { city: 'Bern' }], ['get_weather', { city: 'Basel' }]),
      result('rain'),
      result('sun', 1),
    ],
    tools: [WEATHER],
  },
  {
    name: 'nested arguments',
    messages: [ASK, called(['search', { filter: { tags: ['a', 'b'] }, query: 'x & <y>' }]), result('[]')],
    tools: [SEARCH],
  },
  {
    name: 'null and constants',
    messages: [ASK, called(['search', { query: null, limit: 1.5, isNew: true }]), result('ok')],
    tools: [SEARCH],
  },
  { name: 'thinking on', messages: [RULES, ASK], variables: { enable_thinking: true } },
  { name: 'thinking off, with tools', messages: [ASK], tools: [WEATHER], variables: { enable_thinking: false } },
]
