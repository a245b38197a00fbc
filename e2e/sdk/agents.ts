import { numberedText } from '@hearth/gateway/testing'
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FULL, type System, UNKNOWN } from '../harness/start-system.ts'
import { callsThenAnswers } from './calls-then-answers.ts'

export function agentsSdk(system: System): void {
  const { full } = system
  setTracingDisabled(true)

  const openai = new OpenAI({ baseURL: system.client.base, apiKey: system.keys.home, maxRetries: 0 })
  const cities: string[] = []
  const weather = tool({
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => {
      cities.push(city)
      return `3 degrees in ${city}`
    },
  })

  function agent(model = FULL, tools: (typeof weather)[] = []): Agent {
    return new Agent({
      name: 'tester',
      instructions: 'Be brief.',
      model: new OpenAIChatCompletionsModel(openai, model),
      tools,
    })
  }

  const runner = new Runner({ tracingDisabled: true })

  describe('the Agents SDK in chat-completions mode', () => {
    it('[K103] runs', async () => {
      const result = await runner.run(agent(), 'hi')
      expect(result.finalOutput).toBe(numberedText(8))
      expect(full.jobs.at(-1)!.request.messages).toMatchObject([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ])
    })

    it('[K103] calls tools', async () => {
      full.plan = callsThenAnswers
      cities.length = 0
      const result = await runner.run(agent(FULL, [weather]), 'weather?')
      expect(cities).toStrictEqual(['Oslo'])
      expect(result.finalOutput).toBe(numberedText(8))
      expect(full.jobs.at(-1)!.request.messages.at(-1)).toMatchObject({ role: 'tool', content: '3 degrees in Oslo' })
    })

    it('[K103] streams, with tools', async () => {
      full.plan = callsThenAnswers
      cities.length = 0
      const result = await runner.run(agent(FULL, [weather]), 'weather?', { stream: true })
      let text = ''
      for await (const event of result)
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') text += event.data.delta
      expect(text).toBe(numberedText(8))
      expect(result.finalOutput).toBe(numberedText(8))
      expect(cities).toStrictEqual(['Oslo'])
    })

    it('[K103] generates objects', async () => {
      full.plan = { text: '{"city":"Oslo","degrees":3}' }
      const typed = new Agent({
        name: 'typed',
        model: agent().model,
        outputType: z.object({ city: z.string(), degrees: z.number() }),
      })
      expect((await runner.run(typed, 'weather?')).finalOutput).toStrictEqual({ city: 'Oslo', degrees: 3 })
      expect(full.jobs.at(-1)!.request.responseFormat?.type).toBe('json_schema')
    })

    it('[K103] reports errors, even in the middle of a stream', async () => {
      await expect(runner.run(agent(UNKNOWN), 'hi')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
      full.plan = { failure: { at: 3 } }
      const read = async () => {
        const result = await runner.run(agent(), 'hi', { stream: true })
        for await (const event of result) expect(event.type).toBeTypeOf('string')
        await result.completed
      }
      await expect(read()).rejects.toMatchObject({ code: 'server_error' })
    })
  })
}
