// Muse Glimmer: every message names its recipient: "self" for thinking, "user" for content, or a tool. Calls are in XML.

import { choice, literal, optional, sequence, textUpTo } from '@hearth/json-schema-grammar'
import type { MessageDialect } from '../reply/message-reader.ts'
import { addCalls } from '../tools/tool-grammar.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import type { Family } from './family.ts'

const BODY = '<|message|>'
const END = '<|eom|>'

const SYNTAX: ToolSyntax = {
  begin: ['<atem:function_calls>\n<atem:invoke name="'],
  middle: ['">\n'],
  between: ['</atem:invoke>\n<atem:invoke name="'],
  end: ['</atem:invoke>\n</atem:function_calls>'],
  tags: {
    keyOpen: '<atem:parameter name="',
    assign: '">',
    valueClose: '</atem:parameter>\n',
    glue: '',
    stringOpen: '',
    stringClose: '',
  },
  triggers: [],
}

const DIALECT: MessageDialect = {
  start: '<|start|>',
  body: BODY,
  end: END,
  others: [],
  syntax: SYNTAX,
  route(header, tools) {
    const recipient = /to=(\S+)/.exec(header)?.[1] ?? 'user'
    if (tools.includes(recipient)) return { section: 'call', lead: '' }
    return { section: recipient === 'self' ? 'thinking' : 'content' }
  },
  answer(json, tools, rules) {
    const thinking = sequence(` to=self${BODY}`, textUpTo(END, rules), `${END}<|start|>assistant`)
    const final = sequence(` to=user${BODY}`, json)
    const names = tools.map(({ name }) => literal(name))
    if (names.length === 0) return sequence(optional(thinking), final)
    const calls = sequence(' to=', choice(...names), BODY, addCalls(SYNTAX, tools, rules))
    return sequence(optional(thinking), choice(final, calls))
  },
}

export const MUSE_GLIMMER: Family = { name: 'Muse Glimmer', has: ['<atem:', BODY, END], dialect: DIALECT }
