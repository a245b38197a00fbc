// Turns the body of a request into a normalized job. Every known field is supported, dependent on the device, ignored or rejected; unknown
// fields are skipped. Fields are read in a fixed order and without any state, so the same body always gets the same error.

import { isObject, jobNeeds, type ChatJob, type Fields, type Need } from '@hearth/protocol'
import { ApiError } from './errors.ts'
import { readDecimal, readInteger, readText, sent, wrongType } from './json/fields.ts'
import { readMessages, requireMessages } from './read/messages.ts'
import { IGNORED_FIELDS, REJECTED_FIELDS } from './read/known-fields.ts'
import { describeMisspelled } from './read/misspelled.ts'
import {
  readLogitBias,
  readLogprobs,
  readReasoningEffort,
  readStop,
  readStreamOptions,
  readWebSearch,
} from './read/options.ts'
import { readResponseFormat } from './read/response-format.ts'
import { readTools } from './read/tools.ts'

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

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

export function readChatRequest(body: unknown, limits: ReadLimits): ChatRequest {
  if (!isObject(body)) throw wrongType('body', 'an object', body)
  let model: string | undefined
  try {
    model = readModel(body)
    return readFields(body, model, limits)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    error.model = model
    error.message += describeMisspelled(body)
    throw error
  }
}

function readFields(body: Fields, model: string, limits: ReadLimits): ChatRequest {
  const items = requireMessages(body)
  const messages = readMessages(items, limits.maxMessages)
  const tools = readTools(body, limits.maxTools)
  const job: ChatJob = { model, messages }
  readLengths(body, job)
  readSampling(body, job)
  readExtras(body, job)
  const streaming = readStreamOptions(body)
  rejectUnsupported(body)
  if (tools.tools.length > 0) job.tools = tools.tools
  if (tools.tools.length > 0 && tools.choice === 'none') job.toolChoice = 'none'
  return {
    job,
    ...streaming,
    mirrorsFunctions: tools.areFunctions,
    ignored: IGNORED_FIELDS.filter((name) => sent(body, name) !== undefined),
    demands: listDemands(job, streaming.includeUsage, tools.areFunctions),
  }
}

function readModel(body: Fields): string {
  const model = readText(body, 'model', 'model')
  if (model) return model
  throw new ApiError(
    'missing_required_parameter',
    `you must provide a model parameter. Missing required parameter: 'model'.`,
    'model',
  )
}

function readLengths(body: Fields, job: ChatJob): void {
  const completion = readInteger(body, 'max_completion_tokens', 1, MAX_TOKENS)
  const tokens = readInteger(body, 'max_tokens', 1, MAX_TOKENS)
  const maxTokens = completion ?? tokens
  if (maxTokens !== undefined) job.maxTokens = maxTokens
  const n = readInteger(body, 'n', 1, 8)
  if (n !== undefined && n > 1) job.n = n
}

function readSampling(body: Fields, job: ChatJob): void {
  const temperature = readDecimal(body, 'temperature', 0, 2)
  const topP = readDecimal(body, 'top_p', 0, 1)
  const presencePenalty = readDecimal(body, 'presence_penalty', -2, 2)
  const frequencyPenalty = readDecimal(body, 'frequency_penalty', -2, 2)
  if (temperature !== undefined) job.temperature = temperature
  if (topP !== undefined) job.topP = topP
  if (presencePenalty !== undefined) job.presencePenalty = presencePenalty
  if (frequencyPenalty !== undefined) job.frequencyPenalty = frequencyPenalty
}

function readExtras(body: Fields, job: ChatJob): void {
  const logprobs = readLogprobs(body)
  const logitBias = readLogitBias(body)
  const stop = readStop(body)
  const responseFormat = readResponseFormat(body)
  const reasoningEffort = readReasoningEffort(body)
  const webSearch = readWebSearch(body)
  if (logprobs) job.logprobs = logprobs
  if (logitBias) job.logitBias = logitBias
  if (stop) job.stop = stop
  if (responseFormat) job.responseFormat = responseFormat
  if (reasoningEffort) job.reasoningEffort = reasoningEffort
  if (webSearch) job.webSearch = webSearch
}

function rejectUnsupported(body: Fields): void {
  for (const name of REJECTED_FIELDS)
    if (sent(body, name) !== undefined)
      throw new ApiError(
        'unsupported_parameter',
        `Unsupported parameter: '${name}' is not supported by this service.`,
        name,
      )
}

function listDemands(job: ChatJob, includeUsage: boolean, areFunctions: boolean): Need[] {
  const demands = jobNeeds(job).map((need) =>
    areFunctions && need.param === 'tools' ? { ...need, param: 'functions' } : need,
  )
  return includeUsage ? [...demands, { feature: 'usage', param: 'stream_options' }] : demands
}
