// Turns the body of a request into a normalized job. Every known field is supported, dependent on the device, ignored or rejected; unknown
// fields are skipped.

import { isObject, jobNeeds, type Fields, type Need } from '@hearth/protocol'
import { ApiError } from './errors.ts'
import { readText, wrongType } from './json/fields.ts'
import { readMessages, requireMessages } from './read/messages.ts'
import { describeMisspelled } from './read/misspelled.ts'
import { readSteps, type ChatRequest, type ReadLimits } from './read/steps.ts'

export type { ChatRequest, ReadLimits }

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
  const messages = readMessages(requireMessages(body), limits.maxMessages)
  const request: ChatRequest = {
    job: { model, messages },
    stream: false,
    includeUsage: false,
    mirrorsFunctions: false,
    ignored: [],
    demands: [],
  }
  readSteps(body, request, limits)
  request.demands = listDemands(request)
  return request
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

function listDemands({ job, includeUsage, mirrorsFunctions }: ChatRequest): Need[] {
  const demands = jobNeeds(job)
  if (includeUsage) demands.push({ feature: 'usage', param: 'stream_options' })
  if (!mirrorsFunctions) return demands
  return demands.map((need) => (need.param === 'tools' ? { ...need, param: 'functions' } : need))
}
