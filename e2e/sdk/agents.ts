import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { FULL, type System } from '../harness/start-system.ts'
import { describeLibrary } from './describe-library.ts'

export function agentsSdk(system: System): void {
  setTracingDisabled(true)
  const openai = new OpenAI({ baseURL: system.client.base, apiKey: system.keys.home, maxRetries: 0 })
  const runner = new Runner({ tracingDisabled: true })
  const modelOf = (name: string) => new OpenAIChatCompletionsModel(openai, name)

  async function stream(agent: Agent, onText: (text: string) => void, prompt = 'hi'): Promise<void> {
    const result = await runner.run(agent, prompt, { stream: true })
    for await (const event of result)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') onText(event.data.delta)
    await result.completed
  }

  describeLibrary('the Agents SDK in chat-completions mode', system, {
    text: async ({ model = FULL } = {}) =>
      String((await runner.run(new Agent({ name: 'tester', model: modelOf(model) }), 'hi')).finalOutput),
    stream: (onText) => stream(new Agent({ name: 'tester', model: modelOf(FULL) }), onText),
    callTool: async ({ name, description, schema, run }, isStream) => {
      const tools = [tool({ name, description, parameters: schema, execute: run })]
      const agent = new Agent({ name: 'tester', model: modelOf(FULL), tools })
      let text = ''
      if (isStream) await stream(agent, (piece) => (text += piece), 'weather?')
      return isStream ? text : String((await runner.run(agent, 'weather?')).finalOutput)
    },
    object: async (outputType) =>
      (await runner.run(new Agent({ name: 'typed', model: modelOf(FULL), outputType }), 'weather?')).finalOutput,
    statuses: [404],
    shows: (status) => ({ status, code: 'model_not_found' }),
  })
}
