// All families with a description. To add one, list it here; a family with a dialect or steps of its own has a file.

import { GRANITE3_SYNTAX, LFM2_SYNTAX } from '../../formats/common-syntaxes.ts'
import { NAME } from '../../formats/tool-syntax.ts'
import type { MessageDialect } from '../reply/message-reader.ts'
import { isOfFamily, type Family } from './family.ts'
import { GPT_OSS } from './gpt-oss.ts'
import { LLAMA3 } from './llama3.ts'
import { MUSE_GLIMMER } from './muse-glimmer.ts'

/** How MiniCPM5 wraps text that looks like XML. */
const CDATA = { open: '<![CDATA[', close: ']]>' }

const FAMILIES: readonly Family[] = [
  // Apriel 1.6: the prompt begins the thinking with a sentence, and a headline begins the answer.
  {
    name: 'Apriel 1.6',
    has: ['[BEGIN FINAL RESPONSE]', 'Here are my reasoning steps:'],
    thinking: { begin: 'Here are my reasoning steps:', end: '[BEGIN FINAL RESPONSE]' },
    content: { around: ['[END FINAL RESPONSE]'] },
  },
  // Cohere's models since Command R7B: plan and thinking, response and action each have tags.
  {
    name: 'Cohere',
    has: ['<|START_ACTION|>', '<|END_THINKING|>'],
    thinking: { begin: '<|START_THINKING|>', end: '<|END_THINKING|>' },
    content: { around: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'] },
  },
  // Command R+: a list of actions in a code block.
  {
    name: 'Command R+',
    has: ['directly-answer', 'json-formatted list of actions'],
    tools: {
      begin: ['Action:\n```json\n[\n    {\n        "tool_name": "'],
      middle: ['",\n        "parameters": '],
      between: ['\n    },\n    {\n        "tool_name": "'],
      end: ['\n    }\n]```'],
      triggers: [
        { text: 'Action:\n```json', isOnlyFirst: false },
        { text: 'Action: ```json', isOnlyFirst: false },
      ],
    },
  },
  // Functionary 3.2: every part of a reply names its recipient, "all" for the user or the name of a tool. The prompt ends after ">>>".
  {
    name: 'Functionary 3.2',
    has: ['>>>${recipient}', '>>>all'],
    tools: {
      begin: [''],
      middle: ['\n'],
      between: ['>>>'],
      end: [],
      slips: [['>>>']],
      triggers: [
        { text: `${NAME}\n`, isOnlyFirst: true },
        { text: `>>>${NAME}\n`, isOnlyFirst: false },
      ],
    },
    content: { before: ['all\n', '>>>all\n'] },
  },
  // GigaChat 3: a call is a message of its own, which the model begins itself.
  {
    name: 'GigaChat 3',
    has: ['<|message_sep|>', '<|role_sep|>'],
    lacks: ['<|function_call|>'],
    tools: {
      begin: ['<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "'],
      middle: ['", "arguments": '],
      end: ['}'],
      triggers: [{ text: '<|message_sep|>\n\nfunction call<|role_sep|>', isOnlyFirst: false }],
    },
  },
  GPT_OSS,
  // IBM Granite 3: a JSON list of calls after a control token. Its template shows no calls. When it thinks, it also marks its answer.
  {
    name: 'Granite 3',
    has: ['<|tool_call|>', '<|start_of_role|>'],
    lacks: ['<tool_call>'],
    tools: GRANITE3_SYNTAX,
    content: { before: ['<response>'], around: ['</response>'] },
  },
  // Kimi K3: tags made of <|open|>, <|sep|> and <|close|>. The prompt opens the thinking; the model may skip it and open its response.
  {
    name: 'Kimi K3',
    has: ['<|open|>', '<|sep|>', '<|close|>'],
    tools: {
      begin: ['<|open|>tools<|sep|><|open|>call tool="'],
      middle: ['" index="', { any: 'number' }, '"<|sep|>'],
      between: ['<|close|>call<|sep|><|open|>call tool="'],
      end: ['<|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>'],
      tags: {
        keyOpen: '<|open|>argument key="',
        assign: '" type="',
        valueClose: '<|close|>argument<|sep|>',
        glue: '',
        stringOpen: 'string"<|sep|>',
        stringClose: '',
        otherOpen: [{ any: 'word' }, '"<|sep|>'],
      },
      triggers: [{ text: '<|open|>tools<|sep|>', isOnlyFirst: false }],
    },
    thinking: {
      begin: '<|open|>think<|sep|>',
      end: '<|close|>think<|sep|>',
      alsoEnds: ['<|open|>response<|sep|>'],
    },
    content: { around: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'] },
  },
  // Liquid LFM2 and LFM2.5: calls as in Python, in a list. Some of their templates show no calls at all.
  {
    name: 'LFM2',
    has: ['List of tools: ', '<|im_start|>'],
    tools: LFM2_SYNTAX,
  },
  // Ling 3: sometimes writes its end token as ordinary text.
  {
    name: 'Ling 3',
    has: ['<|role_end|>', '<arg_key>'],
    content: { around: ['<|role_end|>'] },
  },
  LLAMA3,
  // MiniCPM5: XML, with text that looks like XML in a CDATA section.
  {
    name: 'MiniCPM5',
    has: ['<![CDATA[', '<param name="'],
    adapt: (learned) =>
      learned.tags === undefined ? learned : { ...learned, tags: { ...learned.tags, wrapper: CDATA } },
  },
  MUSE_GLIMMER,
  // Solar Open: thinking and content are messages of their own, each with a header.
  {
    name: 'Solar Open',
    has: ['<|think|>', '<|tool_call:begin|>'],
    thinking: { begin: '<|think|>', end: '<|end|>', alsoEnds: ['<|begin|>assistant<|content|>'] },
    content: { around: ['<|begin|>assistant<|content|>', '<|begin|>assistant', '<|content|>'] },
  },
]

/** The family of a model, by the text of its template. */
export function findFamily(source: string): Family | undefined {
  return FAMILIES.find((family) => isOfFamily(source, family))
}

/** The name of the family that a dialect belongs to. */
export function nameDialect(dialect: MessageDialect): string {
  const family = FAMILIES.find((other) => other.dialect === dialect)
  if (family === undefined) throw new Error('A dialect belongs to no family')
  return family.name
}

/** The dialect of the family with this name. */
export function findDialect(name: string): MessageDialect {
  const dialect = FAMILIES.find((family) => family.name === name)?.dialect
  if (dialect === undefined) throw new Error(`The family ${name} has no dialect`)
  return dialect
}
