import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GPT_OSS } from '../families/gpt-oss.ts'
import { toPieces } from '../testing/reply-pieces.ts'
import type { Piece } from './marks.ts'
import { MessageReader } from './message-reader.ts'
import { TagReader, type ReplyMarks, type ReplyReader } from './reply-reader.ts'

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
const calls = { triggers: [{ text: '<tool_call>', isOnlyFirst: false }] }
const readTags = (marks: ReplyMarks, texts: readonly string[]) => read(new TagReader(marks), texts)

describe('TagReader', () => {
  it('passes everything on if there is nothing to look for', () => {
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

  it('[W16] finds a call that begins across several tokens shared with text', () => {
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

  it('sees a call that begins with a control token', () => {
    const marks = { calls: { triggers: [{ text: '<TOOL_CALLS>', isOnlyFirst: false }] } }
    expect(readTags(marks, ['\n', '{<TOOL_CALLS>}', 'f', '{<ARGS>}', '{}'])).toMatchObject({
      content: '',
      calls: '<TOOL_CALLS>f<ARGS>{}',
    })
  })

  it('takes bare JSON for a call only at the beginning', () => {
    const marks = { calls: { triggers: [{ text: '{"name": "', isOnlyFirst: true }] } }
    expect(readTags(marks, [' {"na', 'me": "f", ', '"x"'])).toMatchObject({ content: '', marks: ['calls-begun'] })
    expect(readTags(marks, ['so: {"na', 'me": "f"'])).toMatchObject({ content: 'so: {"name": "f"', calls: '' })
  })

  it('reads thinking, then a call', () => {
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

describe('TagReader and calls while the model thinks', () => {
  const open = { thinking: { ...thinking, isOpen: true }, calls }
  const readOpen = (texts: readonly string[]) => {
    const reader = new TagReader(open)
    return { ...read(reader, texts), isThinking: reader.isThinking }
  }

  it('keeps a call that ends the reply, so that it can be read', () => {
    expect(readOpen(['so I call. <tool', '_call>{"a"', ': 1}</tool', '_call>'])).toEqual({
      content: '',
      calls: '<tool_call>{"a": 1}</tool_call>',
      marks: [],
      isThinking: true,
    })
  })

  it('takes a call for a thought if the thinking goes on and is ended', () => {
    expect(readOpen(['I could <tool_call>{}</tool_call> but', '</think>', 'No.'])).toEqual({
      content: 'No.',
      calls: '',
      marks: ['thinking-ended'],
      isThinking: false,
    })
  })

  it('[W17c] hides thinking that begins again, on models that do so', () => {
    const marks = { thinking: { ...thinking, isRepeated: true } }
    expect(readTags(marks, ['<think>a</think>Hello <th', 'ink>b</think>', 'there</think>.'])).toMatchObject({
      content: 'Hello there.',
    })
  })

  it('[W17c] removes texts around the content', () => {
    const content = { before: ['all\n'], around: ['<r>', '</r>'] }
    expect(readTags({ content }, ['al', 'l\n<r', '>Tall\n</', 'r>'])).toMatchObject({ content: 'Tall\n' })
  })

  it('[W16] comes to the same result however the text is split', () => {
    const marks = { thinking, calls, content: { before: ['all\n'], around: ['<r>', '</r>'] } }
    const alphabet = fc.constantFrom(
      '<think>',
      '</think>',
      '<tool_call>',
      'all\n',
      '<r>',
      '</r>',
      '<',
      ' ',
      'a',
      '\n',
      'ü',
    )
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 12 }), fc.array(fc.nat({ max: 6 })), (words, cuts) => {
        const text = words.join('')
        const { marks: _, ...whole } = read(new TagReader(marks), [text])
        const { marks: __, ...split } = read(new TagReader(marks), cutText(text, cuts))
        expect(split).toEqual(whole)
      }),
    )
  })
})

function cutText(text: string, cuts: readonly number[]): string[] {
  const parts: string[] = []
  let rest = text
  for (const cut of cuts) {
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, ...Array.from(rest)]
}

describe('MessageReader of gpt-oss', () => {
  const readerFor = (tools: readonly string[]) => new MessageReader(GPT_OSS.dialect!, tools)
  const header = (name: string) => ['{<|channel|>}', name, '{<|message|>}']

  it('[W17c] hides the analysis and shows the final message', () => {
    const texts = [...header('analysis'), 'hm', '{<|end|>}', '{<|start|>}', 'assistant', ...header('final'), 'Yes', '.']
    expect(read(readerFor([]), texts)).toEqual({ content: 'Yes.', calls: '', marks: ['thinking-ended'] })
  })

  it('reads a call by its recipient', () => {
    const texts = [
      '{<|channel|>}',
      'commentary to=functions.get_weather ',
      '{<|constrain|>}',
      'json',
      '{<|message|>}',
      '{"city"',
      ':"Oslo"}',
    ]
    const { content, calls: call, marks } = read(readerFor(['get_weather']), texts)
    expect({ content, marks }).toEqual({ content: '', marks: ['calls-begun'] })
    expect(call).toBe('to=functions.get_weather<|message|>{"city":"Oslo"}')
  })

  it('[W16] shows a message to a tool that doesn’t exist', () => {
    const texts = [' to=functions.other', ...header('commentary'), '{}x']
    expect(read(readerFor(['get_weather']), texts)).toMatchObject({ content: '{}x', calls: '' })
  })
})
