import { HumanMessage, type AIMessageChunk } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { expect } from 'vitest'
import { FULL, type System } from '../harness/start-system.ts'
import { describeLibrary, type SentRequest } from './describe-library.ts'

export function langChain(system: System): void {
  function chat({ model = FULL, ...fields }: SentRequest = {}): ChatOpenAI {
    const configuration = { baseURL: system.client.base }
    return new ChatOpenAI({ model, apiKey: system.keys.home, maxRetries: 0, configuration, ...fields })
  }

  describeLibrary('LangChain', system, {
    text: async (asked) => {
      const { text, usage_metadata } = await chat(asked).invoke('hi')
      expect(usage_metadata).toMatchObject({ output_tokens: 8 })
      return text
    },
    stream: async (onText) => {
      for await (const chunk of await chat().stream('hi')) onText(chunk.text)
    },
    callTool: async ({ run, ...described }, isStream) => {
      const weather = tool(run, described)
      const bound = chat().bindTools([weather])
      const ask = async (...messages: Parameters<typeof bound.invoke>[0] & unknown[]) => {
        if (!isStream) return bound.invoke(messages)
        let whole: AIMessageChunk | undefined
        for await (const chunk of await bound.stream(messages)) whole = whole?.concat(chunk) ?? chunk
        return whole!
      }
      const question = new HumanMessage('weather?')
      const call = await ask(question)
      return (await ask(question, call, await weather.invoke(call.tool_calls![0]!))).text
    },
    object: async (schema) =>
      chat().withStructuredOutput(schema, { name: 'weather', method: 'jsonSchema' }).invoke('weather?'),
    statuses: [400, 401, 403, 404, 503],
    shows: (status) => ({ status }),
  })
}
