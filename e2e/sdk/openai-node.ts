import { checkNumberedText, numberedText } from '@hearth/gateway/testing'
import OpenAI7 from 'openai'
import OpenAI4 from 'openai-4'
import OpenAI5 from 'openai-5'
import OpenAI6 from 'openai-6'
import { describe, expect, inject, it } from 'vitest'
import { DISABLED, FULL, HI, LONELY, UNKNOWN } from '../harness/start-system.ts'
import { IS_SEALED_RUN } from '../harness/sealed-run.ts'
import { callsThenAnswers } from './calls-then-answers.ts'
import { system } from './shared-system.ts'

const { full } = system

// The older majors have the same API as far as it is used here; only their type declarations differ.
type Library = typeof OpenAI7
const NEWEST: [string, Library] = ['7', OpenAI7]
const EARLIER: [string, Library][] = [
  ['6', OpenAI6 as unknown as Library],
  ['5', OpenAI5 as unknown as Library],
  ['4', OpenAI4 as unknown as Library],
]
const TOOL = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
} as const
const ASK = {
  model: FULL,
  messages: [{ role: 'user', content: 'hi' }],
} satisfies OpenAI7.ChatCompletionCreateParamsNonStreaming

describe.each(inject('isLongRun') ? [NEWEST, ...EARLIER] : [NEWEST])('openai %s for Node', (major, OpenAI) => {
  const connect = (options: object = {}) =>
    new OpenAI({ baseURL: system.client.base, apiKey: system.keys.home, maxRetries: 0, ...options })
  const openai = connect()

  /** Major 4 keeps the helper under `beta`. */
  function streamHelper(body: OpenAI7.ChatCompletionCreateParamsNonStreaming) {
    const params = { ...body, stream: true as const }
    if (major !== '4') return openai.chat.completions.stream(params)
    return (
      openai as unknown as { beta: { chat: { completions: typeof openai.chat.completions } } }
    ).beta.chat.completions.stream(params)
  }

  it('[K102] creates completions', async () => {
    const completion = await openai.chat.completions.create(ASK)
    expect(completion.choices[0]!.message.content).toBe(numberedText(8))
    expect(completion.usage!.total_tokens).toBe(9)
    expect(completion._request_id).toMatch(/^req_[0-9a-f]{32}$/)
    const { response } = await openai.chat.completions.create({ ...ASK, seed: 1 }).withResponse()
    expect(response.headers.get('x-service-ignored-params')).toBe('seed')
  })

  it('[K102] streams', async () => {
    full.plan = { tokens: 300 }
    let text = ''
    let total = 0
    const stream = await openai.chat.completions.create({
      ...ASK,
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      total += chunk.usage?.total_tokens ?? 0
    }
    expect(checkNumberedText(text)).toBe(300)
    expect(total).toBe(301)
  })

  it('[H83a] stops the device when it leaves the loop', async () => {
    full.plan = { stall: { at: 2, until: new Promise(() => {}) } }
    for await (const chunk of await openai.chat.completions.create({ ...ASK, stream: true }))
      if (chunk.choices[0]?.delta.content === 't0') break
    const job = full.jobs.at(-1)!
    await full.until('the job was cancelled', () => job.state === 'cancelled')
  })

  it('[K102] streams with the helper', async () => {
    const deltas: string[] = []
    const helper = streamHelper(ASK).on('content', (delta) => deltas.push(delta))
    const completion = await helper.finalChatCompletion()
    expect(deltas.join('')).toBe(numberedText(8))
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: numberedText(8) },
    })
  })

  it('[K102] gets tool calls from the helper', async () => {
    full.plan = callsThenAnswers
    const message = await streamHelper({ ...ASK, tools: [TOOL] }).finalMessage()
    expect(message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
    ])
    const history = [
      ...ASK.messages,
      message as OpenAI7.ChatCompletionMessageParam,
      { role: 'tool' as const, tool_call_id: 'call_1', content: '3' },
    ]
    expect(await streamHelper({ ...ASK, messages: history, tools: [TOOL] }).finalContent()).toBe(numberedText(8))
  })

  it('[B22] [K102] lists models, on one page, and retrieves them', async () => {
    const ids: string[] = []
    for await (const model of openai.models.list()) ids.push(model.id)
    expect(ids.toSorted()).toStrictEqual([...system.models].toSorted())
    for (const name of [FULL, LONELY])
      expect(await openai.models.retrieve(name)).toMatchObject({ id: name, object: 'model' })
  })

  it('[K102c] raises its class for each status', async () => {
    const ask = (fields: object) => () => openai.chat.completions.create({ ...ASK, ...fields })
    const stranger = connect({ apiKey: system.keys.revoked })
    const cases = [
      [400, ask({ temperature: 9 }), OpenAI.BadRequestError, 'decimal_above_max_value', 'temperature'],
      [401, () => stranger.models.list(), OpenAI.AuthenticationError, 'invalid_api_key', null],
      [403, ask({ model: DISABLED }), OpenAI.PermissionDeniedError, 'model_disabled', 'model'],
      [404, ask({ model: UNKNOWN }), OpenAI.NotFoundError, 'model_not_found', 'model'],
      [404, () => openai.models.retrieve(UNKNOWN), OpenAI.NotFoundError, 'model_not_found', 'model'],
      [503, ask({ model: LONELY }), OpenAI.InternalServerError, 'model_unavailable', 'model'],
      [503, ask({ model: LONELY, stream: true }), OpenAI.InternalServerError, 'model_unavailable', 'model'],
    ] as const
    for (const [status, raise, type, code, param] of cases) {
      const error = await raise().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ status, code, param })
      expect(requestIdOf(error)).toMatch(/^req_/)
    }
  })

  it('[K102c] raises an API error with its code in the middle of a stream', async () => {
    full.plan = { failure: { at: 3 } }
    let text = ''
    const read = async () => {
      for await (const chunk of await openai.chat.completions.create({ ...ASK, stream: true }))
        text += chunk.choices[0]?.delta.content ?? ''
    }
    const error = await read().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error).toMatchObject({ code: 'server_error', type: 'server_error' })
    expect(text).toBe(numberedText(3))
    await expect(streamHelper(ASK).finalChatCompletion()).rejects.toThrow()
  })

  it('[K102] gets an object by schema', async () => {
    full.plan = { text: '{"city":"Oslo","degrees":3}' }
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'number' } },
      required: ['city', 'degrees'],
      additionalProperties: false,
    }
    const response_format = { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } } as const
    const completion = await openai.chat.completions.create({ ...ASK, response_format })
    expect(JSON.parse(completion.choices[0]!.message.content!)).toStrictEqual({ city: 'Oslo', degrees: 3 })
    expect(full.jobs.at(-1)!.request.responseFormat).toMatchObject({ type: 'json_schema', name: 'weather', schema })
  })
})

it('[K102d] openai 7 retries after the time in retry-after if no device was available', async () => {
  const patient = new OpenAI7({ baseURL: system.client.base, apiKey: system.keys.home, maxRetries: 1 })
  const asked = patient.chat.completions.create({ ...ASK, model: LONELY })
  await system.queued(1)
  await system.queued(0)
  await using device = await system.connectDevice({ models: [LONELY] })
  expect((await asked).choices[0]!.message.content).toBe(numberedText(8))
  expect(device.jobs).toHaveLength(1)
})

/** Major 4 calls it request_id. */
function requestIdOf(error: unknown): string | undefined {
  const { requestID, request_id } = error as { requestID?: string; request_id?: string }
  return requestID ?? request_id
}

const describePages: typeof describe | undefined = IS_SEALED_RUN ? undefined : describe
describePages?.('in a browser', () => {
  it('[K104] openai 7 works through a preflight', async () => {
    const sent: string[] = []
    const browserFetch: typeof fetch = async (input, init) => {
      const asked = Object.keys(Object.fromEntries(new Headers(init?.headers))).join(',')
      const method = init?.method ?? 'GET'
      const url = input instanceof Request ? input.url : String(input)
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.test',
          'access-control-request-method': method,
          'access-control-request-headers': asked,
        },
      })
      expect(preflight.ok).toBe(true)
      const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(/, */)
      for (const name of asked.split(',')) expect(allowed).toContain(name)
      expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
      sent.push(method)
      const response = await fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), origin: 'https://page.test' },
      })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id')
      return response
    }
    const openai = new OpenAI7({
      baseURL: system.client.base,
      apiKey: system.keys.home,
      fetch: browserFetch,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    })
    let text = ''
    for await (const chunk of await openai.chat.completions.create({
      model: FULL,
      messages: [{ role: 'user', content: HI[0]!.content }],
      stream: true,
    }))
      text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe(numberedText(8))
    await expect(openai.models.retrieve(UNKNOWN)).rejects.toBeInstanceOf(OpenAI7.NotFoundError)
    expect(sent).toStrictEqual(['POST', 'GET'])
  })
})
