// Tools for models whose template doesn't support them: the instructions explain them in words, calls have one general format, and results
// come back as user messages.

import type { JobMessage, JobTool } from '@hearth/protocol'
import { toTemplateTools } from '../template/template-messages.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import { writeCalls } from './write-calls.ts'

const EXAMPLE = { id: 'id', name: "the function's name", arguments: '{"parameter": "value"}' }

export function explainTools(
  messages: readonly JobMessage[],
  tools: readonly JobTool[],
  syntax: ToolSyntax,
): JobMessage[] {
  const list = toTemplateTools(tools).map((tool) => JSON.stringify(tool.function))
  const text = [
    'You can call functions. Each line below describes one, with the JSON Schema of its parameters:',
    ...list,
    'To call a function, reply with nothing but this, once for each call:',
    writeCalls([EXAMPLE], syntax),
    'Call a function only when it helps to answer; otherwise answer in plain words.',
  ].join('\n')
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest]
  return [{ role: 'system', content: text }, ...messages]
}

/** Earlier calls and results as plain text. */
export function writeCallsAsText(messages: readonly JobMessage[]): JobMessage[] {
  return messages.map((message) => {
    if (message.role === 'tool')
      return { role: 'user', content: `<tool_response>\n${message.content}\n</tool_response>` }
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message
    const calls = message.toolCalls.map(
      ({ name, arguments: args }) =>
        `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args || '{}'}}\n</tool_call>`,
    )
    return { role: 'assistant', content: [message.content, ...calls].filter((text) => text !== '').join('\n') }
  })
}
