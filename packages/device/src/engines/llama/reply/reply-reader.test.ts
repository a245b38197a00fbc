import { describe, expect, it } from 'vitest'
import { HarmonyReader } from './harmony.ts'
import type { Piece } from './marks.ts'
import { TagReader, type ReplyMarks, type ReplyReader } from './reply-reader.ts'

/** `{…}` around a piece makes it a control token, which has a name but no visible text. */
function toPieces(texts: readonly string[]): Piece[] {
  return texts.map((text, position) => {
    const isControl = text.startsWith('{') && text.endsWith('}')
    const raw = Buffer.from(isControl ? text.slice(1, -1) : text)
    return { token: position, position, raw, visible: isControl ? Buffer.alloc(0) : raw }
  })
}

function read(reader: ReplyReader, texts: readonly string[]) {
  const parts = toPieces(texts).flatMap((piece) => reader.push(piece))
  const content = parts.flatMap((part) => (part.type === 'content' ? [part.piece] : []))
  const text = (pieces: readonly Piece[]) => Buffer.concat(pieces.map(({ visible }) => visible)).toString()
  return {
    content: text([...content, ...reader.end()]),
    calls: Buffer.concat(reader.calls.map(({ raw }) => raw)).toString(),
    marks: parts.map(({ type }) => type).filter((type) => type !== 'content'),
  }
}

const thinking = { begin: '<think>', end: '</think>', isOpen: false, mayBegin: true }
const calls = { triggers: ['<tool_call>'], isOnlyFirst: false }
const readTags = (marks: ReplyMarks, texts: readonly string[]) => read(new TagReader(marks), texts)

describe('TagReader', () => {
  it('[W18] passes everything on if there is nothing to look for', () => {
    expect(readTags({}, [' <think>', ' a', '{<|x|>}', '<tool_call>'])).toMatchObject({
      content: ' <think> a<tool_call>',
    })
  })

  it('[W17c] removes thinking, with the whitespace after it', () => {
    expect(readTags({ thinking }, ['<think>', '\nhm', ' m', '</think>', '\n\n', '\nyes', ' <think>'])).toEqual({
      content: 'yes <think>',
      calls: '',
      marks: ['thinking-ended'],
    })
  })

  it('[W17c] begins inside thinking if the prompt ends there', () => {
    const marks = { thinking: { ...thinking, isOpen: true } }
    expect(readTags(marks, ['hm</', 'think', '>yes'])).toMatchObject({ content: 'yes' })
    expect(readTags(marks, ['never ', 'ends'])).toMatchObject({ content: '' })
  })

  it('[W14b] finds a call that begins across several tokens shared with text', () => {
    expect(readTags({ calls }, ['Sure. <to', 'ol_', 'call>\n{', '"name"'])).toEqual({
      content: 'Sure. ',
      calls: '<tool_call>\n{"name"',
      marks: ['calls-begun'],
    })
  })

  it('[W16] shows text that only looked like the beginning of a call', () => {
    expect(readTags({ calls }, ['a <tool', '_box> b', ' <tool_c'])).toEqual({
      content: 'a <tool_box> b <tool_c',
      calls: '',
      marks: [],
    })
  })

  it('[W14] sees a call that begins with a control token', () => {
    const marks = { calls: { triggers: ['[TOOL_CALLS]'], isOnlyFirst: false } }
    expect(readTags(marks, ['\n', '{[TOOL_CALLS]}', 'f', '{[ARGS]}', '{}'])).toMatchObject({
      content: '',
      calls: '[TOOL_CALLS]f[ARGS]',
    })
  })

  it('[W14] takes bare JSON for a call only at the beginning', () => {
    const marks = { calls: { triggers: ['{"name": "'], isOnlyFirst: true } }
    expect(readTags(marks, [' {"na', 'me": "f", ', '"x"'])).toMatchObject({ content: '', marks: ['calls-begun'] })
    expect(readTags(marks, ['so: {"na', 'me": "f"'])).toMatchObject({ content: 'so: {"name": "f"', calls: '' })
  })

  it('[W14] reads thinking, then a call', () => {
    const { content, marks } = readTags({ thinking, calls }, [
      '<think>',
      'x <tool_call>',
      '</think>',
      '\n',
      '<tool_call>',
      '{',
    ])
    expect({ content, marks }).toEqual({ content: '', marks: ['thinking-ended', 'calls-begun'] })
  })
})

describe('HarmonyReader', () => {
  const header = (name: string) => ['{<|channel|>}', name, '{<|message|>}']

  it('[W17c] hides the analysis and shows the final message', () => {
    const texts = [...header('analysis'), 'hm', '{<|end|>}', '{<|start|>}', 'assistant', ...header('final'), 'Yes', '.']
    expect(read(new HarmonyReader([]), texts)).toEqual({ content: 'Yes.', calls: '', marks: ['thinking-ended'] })
  })

  it('[W14] reads a call by its recipient', () => {
    const texts = [
      '{<|channel|>}',
      'commentary to=functions.get_weather ',
      '{<|constrain|>}',
      'json',
      '{<|message|>}',
      '{"city"',
      ':"Oslo"}',
    ]
    const { content, calls: call, marks } = read(new HarmonyReader(['get_weather']), texts)
    expect({ content, marks }).toEqual({ content: '', marks: ['calls-begun'] })
    expect(call).toBe('to=functions.get_weather<|message|>{"city":"Oslo"}')
  })

  it('[W16] shows a message to a tool that doesn’t exist', () => {
    const texts = [' to=functions.other', ...header('commentary'), '{}x']
    expect(read(new HarmonyReader(['get_weather']), texts)).toMatchObject({ content: '{}x', calls: '' })
  })
})
