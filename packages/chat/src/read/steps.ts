// The fields of a chat request, each in the step that reads it. Steps run in this order whatever the order of the body, so the same body always
// gets the same error; those without a field in the body are skipped, which are nearly all.

import type { ChatJob, Fields, Need } from '@hearth/protocol'
import { ApiError } from '../errors.ts'
import { readDecimal, readInteger } from '../json/fields.ts'
import {
  readLogitBias,
  readLogprobs,
  readReasoningEffort,
  readStop,
  readStreamOptions,
  readWebSearch,
} from './options.ts'
import { readResponseFormat } from './response-format.ts'
import { readTools } from './tools.ts'

export interface ChatRequest {
  job: ChatJob
  stream: boolean
  includeUsage: boolean
  /** The request used the deprecated `functions`: replies repeat the first tool call as `function_call`. */
  mirrorsFunctions: boolean
  /** Fields that were sent but have no effect, in the order of the interface. */
  ignored: string[]
  /** Features that a device must have, with the fields that ask for them. */
  demands: Need[]
}

export interface ReadLimits {
  maxMessages: number
  maxTools: number
}

type Read = (body: Fields, into: ChatRequest, limits: ReadLimits) => void
type Step = readonly [fields: readonly string[], read: Read]

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

/** Accepted without an effect, in the order of the interface. */
const IGNORED = [
  'seed',
  'user',
  'safety_identifier',
  'store',
  'metadata',
  'service_tier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
]
const REJECTED = ['prediction', 'verbosity', 'moderation', 'modalities', 'audio']

const STEPS: readonly Step[] = [
  [['functions', 'tools', 'tool_choice', 'function_call', 'parallel_tool_calls'], addTools],
  option('maxTokens', ['max_completion_tokens', 'max_tokens'], readMaxTokens),
  option('n', ['n'], (body) => {
    const n = readInteger(body, 'n', 1, 8)
    return n === 1 ? undefined : n
  }),
  option('temperature', ['temperature'], (body) => readDecimal(body, 'temperature', 0, 2)),
  option('topP', ['top_p'], (body) => readDecimal(body, 'top_p', 0, 1)),
  option('presencePenalty', ['presence_penalty'], (body) => readDecimal(body, 'presence_penalty', -2, 2)),
  option('frequencyPenalty', ['frequency_penalty'], (body) => readDecimal(body, 'frequency_penalty', -2, 2)),
  option('logprobs', ['logprobs', 'top_logprobs'], readLogprobs),
  option('logitBias', ['logit_bias'], readLogitBias),
  option('stop', ['stop'], readStop),
  option('responseFormat', ['response_format'], readResponseFormat),
  option('reasoningEffort', ['reasoning_effort'], readReasoningEffort),
  option('webSearch', ['web_search_options'], readWebSearch),
  [['stream', 'stream_options'], (body, into) => void Object.assign(into, readStreamOptions(body))],
  ...REJECTED.map((name): Step => [[name], () => reject(name)]),
  ...IGNORED.map((name): Step => [[name], (_, into) => void into.ignored.push(name)]),
]

const INDEXES = new Map(STEPS.flatMap(([fields], index) => fields.map((field) => [field, index])))

export const KNOWN_FIELDS: readonly string[] = ['model', 'messages', ...INDEXES.keys()]

/** Reads all fields but the model and the messages. */
export function readSteps(body: Fields, into: ChatRequest, limits: ReadLimits): void {
  const indexes: number[] = []
  for (const field of Object.keys(body)) {
    const index = INDEXES.get(field)
    // Null counts as not sent.
    if (index !== undefined && body[field] !== null && !indexes.includes(index)) indexes.push(index)
  }
  indexes.sort((one, other) => one - other)
  for (const index of indexes) STEPS[index]?.[1](body, into, limits)
}

/** One that reads undefined asks for nothing. */
function option<Name extends keyof ChatJob>(
  name: Name,
  fields: readonly string[],
  read: (body: Fields) => ChatJob[Name] | undefined,
): Step {
  return [
    fields,
    (body, { job }) => {
      const value = read(body)
      if (value !== undefined) job[name] = value
    },
  ]
}

function readMaxTokens(body: Fields): number | undefined {
  const completion = readInteger(body, 'max_completion_tokens', 1, MAX_TOKENS)
  const tokens = readInteger(body, 'max_tokens', 1, MAX_TOKENS)
  return completion ?? tokens
}

function addTools(body: Fields, into: ChatRequest, { maxTools }: ReadLimits): void {
  const { tools, choice, areFunctions } = readTools(body, maxTools)
  into.mirrorsFunctions = areFunctions
  if (tools.length === 0) return
  into.job.tools = tools
  if (choice === 'none') into.job.toolChoice = 'none'
}

function reject(name: string): never {
  throw new ApiError(
    'unsupported_parameter',
    `Unsupported parameter: '${name}' is not supported by this service.`,
    name,
  )
}
