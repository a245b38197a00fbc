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
  const { tools, choice, areFunctions } = readTools(body, limits.maxTools)
  const job: ChatJob = { model, messages }
  const options = readOptions(body)
  let name: keyof ChatJob
  for (name in options) add(job, name, options[name])
  const streaming = readStreamOptions(body)
  rejectUnsupported(body)
  if (tools.length > 0) job.tools = tools
  if (tools.length > 0 && choice === 'none') job.toolChoice = 'none'
  return {
    job,
    ...streaming,
    mirrorsFunctions: areFunctions,
    ignored: IGNORED_FIELDS.filter((name) => sent(body, name) !== undefined),
    demands: listDemands(job, streaming.includeUsage, areFunctions),
  }
}

/** Undefined for those that ask for nothing. */
type Options = { [Name in keyof ChatJob]?: ChatJob[Name] | undefined }

function add<Name extends keyof ChatJob>(job: ChatJob, name: Name, value: ChatJob[Name] | undefined): void {
  if (value !== undefined) job[name] = value
}

function readOptions(body: Fields): Options {
  const completion = readInteger(body, 'max_completion_tokens', 1, MAX_TOKENS)
  const tokens = readInteger(body, 'max_tokens', 1, MAX_TOKENS)
  const n = readInteger(body, 'n', 1, 8)
  return {
    maxTokens: completion ?? tokens,
    n: n === 1 ? undefined : n,
    temperature: readDecimal(body, 'temperature', 0, 2),
    topP: readDecimal(body, 'top_p', 0, 1),
    presencePenalty: readDecimal(body, 'presence_penalty', -2, 2),
    frequencyPenalty: readDecimal(body, 'frequency_penalty', -2, 2),
    logprobs: readLogprobs(body),
    logitBias: readLogitBias(body),
    stop: readStop(body),
    responseFormat: readResponseFormat(body),
    reasoningEffort: readReasoningEffort(body),
    webSearch: readWebSearch(body),
  }
}

function readModel(body: Fields): string {
  const model = readText(body, 'model')
  if (model) return model
  throw new ApiError(
    'missing_required_parameter',
    `you must provide a model parameter. Missing required parameter: 'model'.`,
    'model',
  )
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
  const demands = jobNeeds(job)
  if (includeUsage) demands.push({ feature: 'usage', param: 'stream_options' })
  if (!areFunctions) return demands
  return demands.map((need) => (need.param === 'tools' ? { ...need, param: 'functions' } : need))
}
