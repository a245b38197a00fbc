// Tools.

import type { Harness } from '../testing/harness.ts'
import type { JobTool } from '@hearth/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

export function itTakesTools({ ask }: Harness): void {
  const tool = { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }

  it('[F64c] rejects a strict tool whose parameters it can’t enforce', async () => {
    const bad = {
      name: 'bad',
      strict: true,
      parameters: { type: 'object', properties: { a: { type: 'object', patternProperties: { '(?<=a)b': {} } } } },
    }
    const param = 'tools[1].function.parameters'
    await expect(ask({ tools: [tool, bad] })).rejects.toMatchObject({ code: 'invalid_function_parameters', param })
  })

  it('takes a tool that isn’t strict, whatever its parameters are', async () => {
    const elsewhere = { name: 'elsewhere', parameters: { $ref: 'https://example.com/schema' } }
    const unique = { name: 'unique', parameters: { properties: { a: { type: 'array', uniqueItems: true } } } }
    const behind = { name: 'behind', parameters: { properties: { a: { type: 'string', pattern: '(?<=a)b' } } } }
    const combined = {
      name: 'combined',
      parameters: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    }
    expect((await ask({ tools: [tool, elsewhere, behind, unique, combined] })).finishes).toHaveLength(1)
  })
}

/** A question that makes the model call this tool. */
export interface ToolQuestion {
  question: string
  tool: JobTool
}

export function itCallsTools({ ask }: Harness, { question, tool }: ToolQuestion): void {
  it('calls a tool, whole and with arguments that its schema allows', async () => {
    const messages = [{ role: 'user' as const, content: question }]
    const { calls, finishes, text } = await ask({ messages, tools: [tool], maxTokens: 100 })
    expect(finishes).toEqual(['tool_calls'])
    expect(text).toBe('')
    expect(calls[0]).toMatchObject({ name: tool.name })
    expect(calls[0]!.id).toMatch(/^call_\w{24}$/)
    expect(ajv.validate(tool.parameters!, JSON.parse(calls[0]!.arguments))).toBe(true)
  })
}
