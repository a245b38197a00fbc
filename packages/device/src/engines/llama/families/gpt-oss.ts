// gpt-oss: thinking is in the channel "analysis", the content in "final", and a header that names a function makes a message a tool call.

import { choice, literal, optional, sequence, textUpTo } from '@hearth/json-schema-grammar'
import type { MessageDialect } from '../reply/message-reader.ts'
import { addCalls } from '../tools/tool-grammar.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import type { Family } from './family.ts'

const BODY = '<|message|>'

/** How the reader passes on calls, wherever the header names the function. */
const SYNTAX: ToolSyntax = { begin: ['to=functions.'], middle: [BODY], end: [], triggers: [] }

/** How a call is written from the end of the thinking on. */
const WRITTEN: ToolSyntax = {
  ...SYNTAX,
  begin: ['<|channel|>commentary to=functions.'],
  middle: [` <|constrain|>json${BODY}`],
}

const DIALECT: MessageDialect = {
  start: '<|start|>',
  body: BODY,
  end: '<|end|>',
  others: ['<|channel|>', '<|constrain|>'],
  syntax: SYNTAX,
  route(header, tools) {
    const recipient = /to=([\w.-]+)/.exec(header)?.[1]
    const tool = recipient?.replace(/^functions\./, '')
    if (recipient !== undefined && tool !== undefined && tools.includes(tool))
      return { section: 'call', lead: `to=functions.${tool}${BODY}`, tool }
    // The model's built-in tools (python, browser) don't exist here; what it writes for them is not an answer.
    const isBuiltIn = recipient !== undefined && !/^(?:functions\.|assistant$|user$|all$)/.test(recipient)
    const channel = /.*<\|channel\|>(\w+)/s.exec(header)?.[1]
    return { section: isBuiltIn || channel === 'analysis' ? 'thinking' : 'content' }
  },
  answer(json, tools, rules) {
    const analysis = sequence('<|channel|>analysis<|message|>', textUpTo('<|end|>', rules), '<|end|><|start|>assistant')
    const final = sequence('<|channel|>final', optional(literal(' <|constrain|>json')), BODY, json)
    return sequence(optional(analysis), tools.length === 0 ? final : choice(final, addCalls(WRITTEN, tools, rules)))
  },
}

export const GPT_OSS: Family = { name: 'gpt-oss', has: ['<|channel|>', BODY], dialect: DIALECT }
