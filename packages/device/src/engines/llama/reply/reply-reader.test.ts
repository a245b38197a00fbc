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
const AROUND = { before: ['all\n'], around: ['<r>', '</r>'] }
const readTags = (marks: ReplyMarks, texts: readonly string[]) => read(new TagReader(marks), texts)

const open = { thinking: { ...thinking, isOpen: true } }
const calling = (text: string, isOnlyFirst = false) => ({ calls: { triggers: [{ text, isOnlyFirst }] } })

describe('TagReader', () => {
  it.each<[string, ReplyMarks, string[], Partial<ReturnType<typeof read>>]>([
    [
      'passes everything on if there is nothing to look for',
      {},
      [' <think>', ' a', '{<|x|>}', '<tool_call>'],
      { content: ' <think> a<tool_call>' },
    ],
    [
      'removes thinking, with the whitespace after it',
      { thinking },
      ['<think>', '\nhm', ' m', '</think>', '\n\n', '\nyes', ' <think>'],
      { content: 'yes <think>', calls: '', marks: ['thinking-ended'] },
    ],
    ['begins inside thinking if the prompt ends there', open, ['hm</', 'think', '>yes'], { content: 'yes' }],
    ['hides thinking that never ends', open, ['never ', 'ends'], { content: '' }],
    [
      'finds a call that begins across several tokens shared with text',
      { calls },
      ['Sure. <to', 'ol_', 'call>\n{', '"name"'],
      { content: 'Sure. ', calls: '<tool_call>\n{"name"', marks: ['calls-begun'] },
    ],
    [
      'shows text that only looked like the beginning of a call',
      { calls },
      ['a <tool', '_box> b', ' <tool_c'],
      { content: 'a <tool_box> b <tool_c', calls: '', marks: [] },
    ],
    [
      'sees a call that begins with a control token',
      calling('<TOOL_CALLS>'),
      ['\n', '{<TOOL_CALLS>}', 'f', '{<ARGS>}', '{}'],
      { content: '', calls: '<TOOL_CALLS>f<ARGS>{}' },
    ],
    [
      'takes bare JSON for a call at the beginning',
      calling('{"name": "', true),
      [' {"na', 'me": "f", ', '"x"'],
      { content: '', marks: ['calls-begun'] },
    ],
    [
      'takes bare JSON for text after other text',
      calling('{"name": "', true),
      ['so: {"na', 'me": "f"'],
      { content: 'so: {"name": "f"', calls: '' },
    ],
    [
      'reads thinking, then a call',
      { thinking, calls },
      ['<think>', 'x <tool_call>', '</think>', '\n', '<tool_call>', '{'],
      { content: '', marks: ['thinking-ended', 'calls-begun'] },
    ],
    [
      'hides thinking that begins again, on models that do so',
      { thinking: { ...thinking, isRepeated: true } },
      ['<think>a</think>Hello <th', 'ink>b</think>', 'there</think>.'],
      { content: 'Hello there.' },
    ],
    [
      'removes texts around the content',
      { content: AROUND },
      ['al', 'l\n<r', '>Tall\n</', 'r>'],
      { content: 'Tall\n' },
    ],
  ])('%s', (_claim, marks, texts, expected) => {
    expect(readTags(marks, texts)).toMatchObject(expected)
  })
})

describe('TagReader and calls while the model thinks', () => {
  const readOpen = (texts: readonly string[]) => {
    const reader = new TagReader({ ...open, calls })
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

  it('comes to the same result however the text is split', () => {
    const marks = { thinking, calls, content: AROUND }
    const tags = [thinking.begin, thinking.end, '<tool_call>', ...AROUND.before, ...AROUND.around]
    const alphabet = fc.constantFrom(...tags, '<', ' ', 'a', '\n', 'ü')
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

  it('hides the analysis and shows the final message', () => {
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

  it('shows a message to a tool that doesn’t exist', () => {
    const texts = [' to=functions.other', ...header('commentary'), '{}x']
    expect(read(readerFor(['get_weather']), texts)).toMatchObject({ content: '{}x', calls: '' })
  })
})
