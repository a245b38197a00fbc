// Finds out what a chat template can express: renders small conversations and checks whether everything in them comes out.

import type { ChatTemplate } from './chat-template.ts'
import type { TemplateCall, TemplateMessage, TemplateTool, TemplateTraits } from './template-messages.ts'

export const PROBE_TOOL: TemplateTool = {
  type: 'function',
  function: {
    name: 'probe_tool_one',
    description: 'probe description',
    parameters: {
      type: 'object',
      properties: { probe_text: { type: 'string' }, probe_number: { type: 'integer' } },
      required: ['probe_text', 'probe_number'],
    },
  },
}

export const ASKED: TemplateMessage = { role: 'user', content: 'probe question' }

export function probeCall(name: string, id: string, args: unknown): TemplateCall {
  return { id, type: 'function', function: { name, arguments: args } }
}

export function probeTraits(template: ChatTemplate): TemplateTraits {
  const takesArguments = probeArguments(template)
  return {
    hasSystem: shows(template.probe({ messages: [{ role: 'system', content: 'probe rule' }, ASKED] }), 'probe rule'),
    hasTools: shows(template.probe({ messages: [ASKED], tools: [PROBE_TOOL] }), PROBE_TOOL.function.name),
    hasCalls: shows(template.probe(callProbe(takesArguments)), 'probe value'),
    hasToolResults: shows(template.probe(resultProbe(takesArguments)), 'probe result'),
    takesArguments,
  }
}

function shows(rendered: string | undefined, text: string): boolean {
  return rendered?.includes(text) ?? false
}

/** As an object, unless the template then writes Python syntax but writes JSON when given text. */
function probeArguments(template: ChatTemplate): 'object' | 'text' {
  const value = { probe_text: 'probe value' }
  const asObject = template.probe(withCall(value)) ?? ''
  const asText = template.probe(withCall(JSON.stringify(value))) ?? ''
  const isShown = asObject.includes('probe_text') && asObject.includes('probe value')
  const isPython = asObject.includes("'probe_text': 'probe value'")
  return (!isShown || isPython) && asText.includes(JSON.stringify(value)) ? 'text' : 'object'
}

function withCall(args: unknown): { messages: TemplateMessage[]; tools: TemplateTool[]; isComplete: true } {
  const calls = [probeCall(PROBE_TOOL.function.name, 'probeid01', args)]
  return {
    messages: [ASKED, { role: 'assistant', content: '', tool_calls: calls }],
    tools: [PROBE_TOOL],
    isComplete: true,
  }
}

function callProbe(takesArguments: 'object' | 'text') {
  const args = { probe_text: 'probe value' }
  return withCall(takesArguments === 'text' ? JSON.stringify(args) : args)
}

function resultProbe(takesArguments: 'object' | 'text'): { messages: TemplateMessage[]; tools: TemplateTool[] } {
  const args = { probe_text: 'x' }
  const { messages, tools } = withCall(takesArguments === 'text' ? JSON.stringify(args) : args)
  const result: TemplateMessage = {
    role: 'tool',
    content: 'probe result',
    tool_call_id: 'probeid01',
    name: PROBE_TOOL.function.name,
  }
  return { messages: [...messages, result], tools }
}
