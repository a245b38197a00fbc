import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { numberedText } from '@hearth/gateway/testing'
import { APICallError, generateText, isStepCount, Output, streamText, tool, type LanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DISABLED, FULL, LONELY, type System, UNKNOWN } from '../harness/start-system.ts'
import { callsThenAnswers } from './calls-then-answers.ts'

export function aiSdk(system: System): void {
  const { full } = system

  const openai = createOpenAI({ baseURL: system.client.base, apiKey: system.keys.home })
  const compatible = createOpenAICompatible({
    name: 'hearth',
    baseURL: system.client.base,
    apiKey: system.keys.home,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
  const PROVIDERS: [string, (model: string) => LanguageModel][] = [
    ['@ai-sdk/openai .chat', (model) => openai.chat(model)],
    ['@ai-sdk/openai-compatible', (model) => compatible.chatModel(model)],
  ]

  const get_weather = tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => ({ city, degrees: 3 }),
  })

  describe.each(PROVIDERS)('ai with %s', (_, chat) => {
    it('[K103] generates text', async () => {
      const { text, usage, finishReason } = await generateText({ model: chat(FULL), prompt: 'hi', maxRetries: 0 })
      expect({ text, finishReason }).toStrictEqual({ text: numberedText(8), finishReason: 'stop' })
      expect(usage.outputTokens).toBe(8)
    })

    it('[K103] streams text and calls tools', async () => {
      full.plan = callsThenAnswers
      const result = streamText({
        model: chat(FULL),
        prompt: 'weather?',
        tools: { get_weather },
        stopWhen: isStepCount(3),
        maxRetries: 0,
      })
      let text = ''
      for await (const delta of result.textStream) text += delta
      expect(text).toBe(numberedText(8))
      const steps = await result.steps
      expect(steps).toHaveLength(2)
      expect(steps[0]!.toolResults[0]).toMatchObject({
        toolName: 'get_weather',
        input: { city: 'Oslo' },
        output: { city: 'Oslo', degrees: 3 },
      })
      expect(full.jobs.at(-1)!.request.messages.at(-1)).toMatchObject({ role: 'tool' })
      expect((await result.usage).outputTokens).toBe(8)
    })

    it('[K103] calls tools without streaming', async () => {
      full.plan = callsThenAnswers
      const { text, steps } = await generateText({
        model: chat(FULL),
        prompt: 'weather?',
        tools: { get_weather },
        stopWhen: isStepCount(3),
        maxRetries: 0,
      })
      expect(text).toBe(numberedText(8))
      expect(steps[0]!.finishReason).toBe('tool-calls')
    })

    it('[K103] generates objects', async () => {
      full.plan = { text: ['{"city":"Oslo",', '"degrees":3}'] }
      const output = Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) })
      const generated = await generateText({ model: chat(FULL), prompt: 'weather?', output, maxRetries: 0 })
      expect(generated.output).toStrictEqual({ city: 'Oslo', degrees: 3 })
      expect(full.jobs.at(-1)!.request.responseFormat?.type).toBe('json_schema')
      const streamed = streamText({ model: chat(FULL), prompt: 'weather?', output, maxRetries: 0 })
      expect(await streamed.output).toStrictEqual({ city: 'Oslo', degrees: 3 })
    })

    it.each([
      [400, FULL, { temperature: 9 }],
      [403, DISABLED, {}],
      [404, UNKNOWN, {}],
      [503, LONELY, {}],
    ])('[K103] reports status %i', async (statusCode, model, settings) => {
      const error = await generateText({ model: chat(model), prompt: 'hi', maxRetries: 0, ...settings }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ statusCode, isRetryable: statusCode >= 500 })
    })

    it('[K103] reports an error in the middle of a stream', async () => {
      full.plan = { failure: { at: 3 } }
      const errors: unknown[] = []
      const result = streamText({
        model: chat(FULL),
        prompt: 'hi',
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      })
      let text = ''
      let failed = false
      try {
        for await (const part of result.stream) {
          if (part.type === 'text-delta') text += part.text
          if (part.type === 'error') failed = true
        }
      } catch {
        failed = true
      }
      expect(text).toBe(numberedText(3))
      expect(failed || errors.length > 0).toBe(true)
    })
  })

  it('[A9] @ai-sdk/openai learns what to use if it asks for another operation', async () => {
    await expect(generateText({ model: openai(FULL), prompt: 'hi', maxRetries: 0 })).rejects.toThrow(
      /chat completions/i,
    )
  })
}
