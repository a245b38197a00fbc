import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { numberedText, type JobPlan } from '@hearth/gateway/testing'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { DISABLED, FULL, LONELY, UNKNOWN } from '../harness/start-system.ts'
import { missingPython, preparePython, runPython } from '../harness/python-library.ts'
import { system } from './shared-system.ts'

const NEWEST = '3.49.0'
const EARLIER = ['2.54.0', '1.109.1']
const openai = (version: string) => ({ name: 'openai', version })
const missing = await missingPython(openai(NEWEST))

interface Raised {
  class: string
  status: number | null
  code: string
  param: string | null
  type: string
  request_id: string | null
}

interface Results {
  version: string
  errors: Record<string, Raised | null>
  [name: string]: unknown
}

/** The script chooses by its prompt. */
function choosePlan({ messages }: { messages: { content: string }[] }): JobPlan {
  const prompt = messages.at(-1)!.content
  if (prompt === 'call') return { calls: 'first-tool' }
  return prompt === 'fail' ? { failure: { at: 3 } } : {}
}

if (missing !== undefined)
  it('[K102] the Python clients are listed as left out', () => {
    leaveOut(`the Python clients: ${missing}`)
    expect(missing).toMatch(/\S/)
  })
else {
  describe.each(inject('isLongRun') ? [NEWEST, ...EARLIER] : [NEWEST])('openai %s for Python', (version) => {
    let seen: Results

    beforeAll(async () => {
      const folder = await preparePython(openai(version))
      system.full.plan = choosePlan
      const models = { full: FULL, lonely: LONELY, disabled: DISABLED, unknown: UNKNOWN }
      seen = (await runPython(folder, new URL('openai_python.py', import.meta.url), {
        HEARTH_BASE: system.client.base,
        HEARTH_KEY: system.keys.home,
        HEARTH_MODELS: JSON.stringify(models),
      })) as Results
    })

    it('[K102] is the version it claims', () => {
      expect(seen.version).toBe(version)
    })

    it('[K102] creates completions', () => {
      expect(seen['create']).toMatchObject({
        content: numberedText(8),
        total: 9,
        request_id: expect.stringMatching(/^req_/) as string,
      })
      expect(seen['raw_headers']).toStrictEqual({ ignored: 'seed', parsed: 'stop' })
    })

    it('[K102] streams', () => {
      expect(seen['stream']).toStrictEqual({ content: numberedText(8), finishes: ['stop'], total: 9 })
    })

    it('[K102] streams with the helper', () => {
      expect(seen['helper']).toStrictEqual({ deltas: numberedText(8), content: numberedText(8), finish: 'stop' })
      expect(seen['helper_calls']).toMatchObject({ name: 'get_weather', arguments: '{"city":"Oslo"}' })
    })

    it('[K102] lists and retrieves models', () => {
      expect(seen['models']).toStrictEqual({ listed: [...system.models].toSorted(), retrieved: [FULL, LONELY] })
    })

    it.each([
      ['400', { class: 'BadRequestError', status: 400, code: 'decimal_above_max_value', param: 'temperature' }],
      ['401', { class: 'AuthenticationError', status: 401, code: 'invalid_api_key', param: null }],
      ['403', { class: 'PermissionDeniedError', status: 403, code: 'model_disabled', param: 'model' }],
      ['404', { class: 'NotFoundError', status: 404, code: 'model_not_found', param: 'model' }],
      ['404 model', { class: 'NotFoundError', status: 404, code: 'model_not_found', param: 'model' }],
      ['503', { class: 'InternalServerError', status: 503, code: 'model_unavailable' }],
      ['503 stream', { class: 'InternalServerError', status: 503, code: 'model_unavailable' }],
    ])('[K102c] raises its class for %s', (name, expected) => {
      expect(seen.errors[name]).toMatchObject(expected)
      expect(seen.errors[name]!.request_id).toMatch(/^req_/)
    })

    it('[K102c] raises an API error with its code in the middle of a stream', () => {
      expect(seen['stream_error']).toMatchObject({
        content: numberedText(3),
        error: { class: 'APIError', code: 'server_error', type: 'server_error' },
      })
    })

    it('[K102] does all that asynchronously', () => {
      expect(seen['asynchronous']).toStrictEqual({
        content: numberedText(8),
        streamed: numberedText(8),
        listed: [...system.models].toSorted(),
      })
    })
  })
}
