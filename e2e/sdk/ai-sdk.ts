import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, Output, streamText, tool, type LanguageModel } from 'ai'
import { expect, it } from 'vitest'
import { FULL, type System } from '../harness/start-system.ts'
import { describeLibrary } from './describe-library.ts'

export function aiSdk(system: System): void {
  const connection = { baseURL: system.client.base, apiKey: system.keys.home }
  const openai = createOpenAI(connection)
  const more = { name: 'hearth', includeUsage: true, supportsStructuredOutputs: true }
  const compatible = createOpenAICompatible({ ...connection, ...more })
  const providers: [string, (model: string) => LanguageModel][] = [
    ['@ai-sdk/openai .chat', (model) => openai.chat(model)],
    ['@ai-sdk/openai-compatible', (model) => compatible.chatModel(model)],
  ]

  for (const [name, chat] of providers)
    describeLibrary(`ai with ${name}`, system, {
      text: async ({ model = FULL, temperature } = {}) => {
        const settings = temperature === undefined ? {} : { temperature }
        const { text, usage } = await generateText({ model: chat(model), prompt: 'hi', maxRetries: 0, ...settings })
        expect(usage.outputTokens).toBe(8)
        return text
      },
      stream: async (onText) => {
        const { stream } = streamText({ model: chat(FULL), prompt: 'hi', maxRetries: 0, onError: () => {} })
        for await (const part of stream) {
          if (part.type === 'text-delta') onText(part.text)
          if (part.type === 'error') throw part.error
        }
      },
      callTool: async ({ name, description, schema, run }, isStream) => {
        const tools = { [name]: tool({ description, inputSchema: schema, execute: run }) }
        const asked = { model: chat(FULL), prompt: 'weather?', tools, stopWhen: isStepCount(3), maxRetries: 0 }
        return isStream ? await streamText(asked).text : (await generateText(asked)).text
      },
      object: async (schema) => {
        const asked = { model: chat(FULL), prompt: 'weather?', output: Output.object({ schema }), maxRetries: 0 }
        const { output } = await generateText(asked)
        expect(await streamText(asked).output).toStrictEqual(output)
        return output
      },
      statuses: [400, 403, 404, 503],
      shows: (status) => ({ name: 'AI_APICallError', statusCode: status, isRetryable: status >= 500 }),
    })

  it('[A9] @ai-sdk/openai learns what to use if it asks for another operation', async () => {
    await expect(generateText({ model: openai(FULL), prompt: 'hi', maxRetries: 0 })).rejects.toThrow(
      /chat completions/i,
    )
  })
}
