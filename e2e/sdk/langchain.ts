import { numberedText } from '@hearth/gateway/testing'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DISABLED, FULL, LONELY, type System, UNKNOWN } from '../harness/start-system.ts'
import { callsThenAnswers } from './calls-then-answers.ts'

export function langChain(system: System): void {
  const { full } = system

  function chat(model = FULL, fields: object = {}): ChatOpenAI {
    return new ChatOpenAI({
      model,
      apiKey: system.keys.home,
      maxRetries: 0,
      configuration: { baseURL: system.client.base },
      ...fields,
    })
  }

  const weather = tool(({ city }: { city: string }) => `3 degrees in ${city}`, {
    name: 'get_weather',
    description: 'The weather of a city',
    schema: z.object({ city: z.string() }),
  })

  describe('LangChain', () => {
    it('[K103] invokes', async () => {
      const message = await chat().invoke('hi')
      expect(message.content).toBe(numberedText(8))
      expect(message.usage_metadata).toMatchObject({ output_tokens: 8 })
    })

    it('[K103] streams', async () => {
      let text = ''
      for await (const chunk of await chat().stream('hi')) text += chunk.text
      expect(text).toBe(numberedText(8))
    })

    it('[K103] binds tools', async () => {
      full.plan = callsThenAnswers
      const bound = chat().bindTools([weather])
      const question = new HumanMessage('weather?')
      const call = await bound.invoke([question])
      expect(call.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' } }])
      const result = await weather.invoke(call.tool_calls![0]!)
      const answer = await bound.invoke([question, call, result])
      expect(answer.content).toBe(numberedText(8))
      expect(full.jobs.at(-1)!.request.messages.at(-1)).toMatchObject({ role: 'tool', content: '3 degrees in Oslo' })
    })

    it('[K103] streams tool calls', async () => {
      full.plan = callsThenAnswers
      let whole: { tool_calls?: unknown[] } | undefined
      for await (const chunk of await chat().bindTools([weather]).stream('weather?'))
        whole = whole === undefined ? chunk : (whole as typeof chunk).concat(chunk)
      expect(whole!.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' } }])
    })

    it('[K103] generates objects', async () => {
      full.plan = { text: '{"city":"Oslo","degrees":3}' }
      const schema = z.object({ city: z.string(), degrees: z.number() })
      const structured = chat().withStructuredOutput(schema, { name: 'weather', method: 'jsonSchema' })
      expect(await structured.invoke('weather?')).toStrictEqual({ city: 'Oslo', degrees: 3 })
      expect(full.jobs.at(-1)!.request.responseFormat).toMatchObject({ type: 'json_schema', name: 'weather' })
    })

    it.each([
      [400, FULL, { temperature: 9 }],
      [401, FULL, { apiKey: 'sk-hearth-wrong' }],
      [403, DISABLED, {}],
      [404, UNKNOWN, {}],
      [503, LONELY, {}],
    ])('[K103] reports status %i', async (status, model, fields) => {
      await expect(chat(model, fields).invoke('hi')).rejects.toMatchObject({ status })
    })

    it('[K103] reports an error in the middle of a stream', async () => {
      full.plan = { failure: { at: 3 } }
      let text = ''
      const read = async () => {
        for await (const chunk of await chat().stream('hi')) text += chunk.text
      }
      await expect(read()).rejects.toMatchObject({ code: 'server_error' })
      expect(text).toBe(numberedText(3))
    })
  })
}
