import fc, { type Arbitrary } from 'fast-check'
import type { BegunChoice, ChatJob, JobMessage, JobTool, ResponseFormat, ToolCall } from '../job/chat-job.ts'
import type { JobRequest, SealedRequest } from '../job/sealed-request.ts'
import { count, decimal, keyOf, record, text, tokenId } from './arbitrary-fields.ts'

const call: Arbitrary<ToolCall> = record({ id: text, name: text, arguments: text })
const message: Arbitrary<JobMessage> = fc.oneof(
  record({ role: fc.constantFrom('system' as const, 'user' as const), content: text }, { name: text }),
  record(
    { role: fc.constant('assistant' as const), content: text },
    { name: text, toolCalls: fc.array(call, { maxLength: 2 }) },
  ),
  record({ role: fc.constant('tool' as const), content: text, toolCallId: text }, { name: text }),
)

// Through JSON once, so that only what JSON can carry is left.
const schema = fc
  .dictionary(text, fc.jsonValue())
  .map((value): { [keyword: string]: unknown } => JSON.parse(JSON.stringify(value)))
const responseFormat: Arbitrary<ResponseFormat> = fc.oneof(
  record({ type: fc.constant('json_object' as const) }),
  record({ type: fc.constant('json_schema' as const), name: text, schema }, { description: text }),
)
const tool: Arbitrary<JobTool> = record({ name: text }, { description: text, parameters: schema, strict: fc.boolean() })
const size = fc.constantFrom('low' as const, 'medium' as const, 'high' as const)

const begun: Arbitrary<BegunChoice> = record({
  tokens: fc.array(tokenId, { maxLength: 3 }),
  length: count,
  checksum: count,
  hasCalls: fc.boolean(),
})

const prefixScope = record({ name: text }, { isSeparate: fc.boolean() })

export const chatJob: Arbitrary<ChatJob> = record(
  { model: text, messages: fc.array(message, { maxLength: 4 }) },
  {
    temperature: decimal,
    topP: decimal,
    maxTokens: count,
    stop: fc.array(text, { maxLength: 4 }),
    frequencyPenalty: decimal,
    presencePenalty: decimal,
    n: fc.integer({ min: 1, max: 8 }),
    logprobs: record({ top: fc.nat({ max: 20 }) }),
    logitBias: fc.dictionary(fc.nat().map(String), fc.integer({ min: -100, max: 100 }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    responseFormat,
    tools: fc.array(tool, { maxLength: 2 }),
    toolChoice: fc.constant('none' as const),
    reasoningEffort: size,
    webSearch: record(
      {},
      { contextSize: size, location: record({}, { city: text, country: text, region: text, timezone: text }) },
    ),
    prefixScope,
    recovery: record({}, { bareId: fc.boolean(), choices: fc.array(begun, { maxLength: 2 }) }),
  },
)

const sealedRequest: Arbitrary<SealedRequest> = record(
  {
    sealed: record({
      header: text,
      box: text,
      keys: fc.array(record({ device: text, enc: keyOf(32), key: keyOf(48) }), { maxLength: 2 }),
    }),
    model: text,
  },
  {
    prefixScope,
    recovery: record(
      {},
      { begun: fc.array(record({ attempt: count, boxes: fc.array(text, { maxLength: 2 }) }), { maxLength: 2 }) },
    ),
  },
)

export const jobRequest: Arbitrary<JobRequest> = fc.oneof({ weight: 3, arbitrary: chatJob }, sealedRequest)
