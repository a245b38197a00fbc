// Runs a case through the engine's own parts: learns the template, builds the prompt's markers and reads the reply, cut into pieces at
// random. Control tokens are single pieces without visible text, as in a model's vocabulary.

import type { JobMessage, JobTool } from '@hearth/protocol'
import type { Native, Vocabulary } from '../../packages/device/src/engines/llama/native/native.ts'
import type { Piece } from '../../packages/device/src/engines/llama/reply/marks.ts'
import { createReader, readCallsOf } from '../../packages/device/src/engines/llama/run/create-reader.ts'
import { buildPrompt } from '../../packages/device/src/engines/llama/run/prompt.ts'
import { studyHere } from '../../packages/device/src/engines/llama/testing/study-here.ts'
import type { CaseMessage, ChatCase } from './chat-cases.ts'

export interface ReadReply {
  content: string
  calls: { name: string; arguments: string }[]
}

/** Texts that end a reply on the models of these templates. */
const ENDS = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|return|>',
  '<|call|>',
  '<|end_of_msg|>',
  '<|assistant_end|>',
  '<end_of_turn>',
  '<turn|>',
  '<｜end▁of▁sentence｜>',
  '<seed:eos>',
  '<|role_end|>',
  '<|calls|>',
  '<|user|>',
  '<|observation|>',
  '[e~[',
  '</s>',
]
const SPECIAL = /<\|[^<>|\s]{1,40}\|>|<｜[^｜]{1,40}｜>|\[\/?[A-Z_]{3,}\]|<\|"\|>|<\|?(?:channel|turn|tool_call)\|?>/g

/** A model with the template's control tokens and nothing else. */
export function nativeFor(native: Native, source: string): Native {
  const special = [
    ...new Set([...(source.match(SPECIAL) ?? []), ...ENDS.filter((text) => source.includes(text)), '</s>']),
  ]
  const vocabulary: Vocabulary = {
    size: special.length,
    bos: { token: 0, text: '<s>' },
    eosText: special.find((text) => ENDS.includes(text)) ?? '</s>',
    addsBos: false,
    encoding: 'byte-level',
    keepsText: true,
    tokenize: () => [],
    text: (token) => special[token] ?? '',
    kind: () => 'control',
    isEnd: (token) => ENDS.includes(special[token] ?? ''),
    strips: () => false,
  }
  return { ...native, vocabulary, templates: { chat: source, tools: undefined } }
}

export async function readCase(chat: ChatCase, model: Native, random: () => number): Promise<ReadReply> {
  const profile = studyHere(model)
  const tools = chat.tools.map(toJobTool)
  const job = {
    model: 'm',
    messages:
      chat.messages.length === 0 ? [{ role: 'user' as const, content: 'Hey there!' }] : chat.messages.map(toJobMessage),
    ...(tools.length === 0 ? {} : { tools }),
    ...(chat.schema === undefined
      ? {}
      : {
          responseFormat: {
            type: 'json_schema' as const,
            name: 's',
            schema: JSON.parse(chat.schema) as Record<string, unknown>,
          },
        }),
    // Both ask a template for what the case asks for; the budget doesn't matter here.
    reasoningEffort: chat.isThinkingEnabled ? ('high' as const) : ('low' as const),
  }
  const prompt = await buildPrompt(job, profile)
  const reader = createReader(profile, job, prompt)
  const parts = toPieces(chat.input, model.vocabulary, random).flatMap((piece) => reader.push(piece))
  const pieces = parts.flatMap((part) => (part.type === 'content' ? [part.piece] : []))
  const rest = reader.end()
  const calls = readCallsOf(reader, prompt)
  const unread = calls === undefined && !reader.isThinking ? reader.calls : []
  const content = Buffer.concat([...pieces, ...rest, ...unread].map(({ visible }) => visible)).toString()
  return { content, calls: calls ?? [] }
}

function toJobTool({ name, description, parameters }: ChatCase['tools'][number]): JobTool {
  return { name, description, parameters: JSON.parse(parameters) as Record<string, unknown> }
}

function toJobMessage({ role, content, calls, toolCallId }: CaseMessage): JobMessage {
  if (role === 'tool') return { role, content, toolCallId }
  if (role !== 'assistant') return { role: role as 'user', content }
  const toolCalls = calls.map((call, index) => ({ id: `call_${index}`, ...call }))
  return { role, content, ...(calls.length === 0 ? {} : { toolCalls }) }
}

function toPieces(input: string, vocabulary: Vocabulary, random: () => number): Piece[] {
  const names = Array.from({ length: vocabulary.size }, (_, token) => vocabulary.text(token))
  const pattern = new RegExp(`(${names.map((name) => RegExp.escape(name)).join('|') || '$^'})`)
  const pieces: Piece[] = []
  for (const part of input.split(pattern)) {
    const token = names.indexOf(part)
    if (token >= 0 && vocabulary.isEnd(token)) break
    if (token >= 0) push(pieces, token, Buffer.from(part), true)
    else for (const bytes of cut(Buffer.from(part), random)) push(pieces, vocabulary.size, bytes, false)
  }
  return pieces
}

function push(pieces: Piece[], token: number, raw: Buffer, isControl: boolean): void {
  pieces.push({ token, position: pieces.length, raw, visible: isControl ? Buffer.alloc(0) : raw })
}

function cut(bytes: Buffer, random: () => number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + Math.floor(random() * 8)
    parts.push(bytes.subarray(at, end))
    at = end
  }
  return parts
}
