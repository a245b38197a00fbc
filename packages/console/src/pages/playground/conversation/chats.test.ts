import { describe, expect, it } from 'vitest'
import {
  chatName,
  withColumn,
  withModel,
  withNewChat,
  withoutItem,
  withoutColumn,
  type Chat,
  type Chats,
} from './chats.ts'
import type { Turn } from './turn.ts'

const REST = { presets: [], storageError: undefined }
const question = (text: string): Turn => ({ id: 9, role: 'user', text })
const chat = (id: number, ...turns: Turn[]): Chat => ({
  id,
  name: undefined,
  columns: [{ id: id * 10, model: 'm', turns }],
})
const counter = () => {
  let last = 100
  return () => ++last
}

describe('chats', () => {
  it('are named after their first question, cut to a line', () => {
    expect(chatName(chat(1))).toBe('New conversation')
    expect(chatName(chat(1, question('  Why?\nBecause')))).toBe('Why?')
    expect(chatName(chat(1, question('x'.repeat(80))))).toBe(`${'x'.repeat(60)}…`)
    const file = { id: 1, name: 'notes.md', size: 1, text: 'x' }
    expect(chatName(chat(1, { id: 2, role: 'user', text: ' ', files: [file] }))).toBe('notes.md')
    expect(chatName({ ...chat(1, question('Why?')), name: 'Mine' })).toBe('Mine')
  })

  it('start with the model of the one before, and an unused one is taken again', () => {
    const used: Chats = { chats: [chat(1, question('Why?'))], current: 1, ...REST }
    const more = withNewChat(used, counter())
    expect(more.chats).toHaveLength(2)
    expect(more.chats[0]).toMatchObject({ id: more.current, columns: [{ model: 'm', turns: [] }] })
    expect(withNewChat({ ...more, current: 1 }, counter())).toStrictEqual(more)
  })

  it('keep their model once something was said: a link to another one opens another chat', () => {
    const used: Chats = { chats: [chat(1, question('Why?'))], current: 1, ...REST }
    const opened = withModel(used, 'other', counter())
    expect(opened.chats).toMatchObject([
      { id: opened.current, columns: [{ model: 'other', turns: [] }] },
      used.chats[0]!,
    ])
    expect(withModel(opened, 'third', counter()).chats).toMatchObject([
      { columns: [{ model: 'third' }] },
      used.chats[0]!,
    ])
  })

  it('always leave one to write in', () => {
    const two: Chats = { chats: [chat(1, question('a')), chat(2, question('b'))], current: 1, ...REST }
    const one = withoutItem(two, 1, counter())
    expect(one).toStrictEqual({ chats: [two.chats[1]], current: 2, ...REST })
    expect(withoutItem(two, 2, counter()).current).toBe(1)
    const none = withoutItem(one, 2, counter())
    expect(none.chats).toMatchObject([{ id: none.current, columns: [{ model: 'm', turns: [] }] }])
  })

  it('have a second column that knows what was said', () => {
    const both = withColumn(chat(1, question('Why?')), 50, 'other')
    expect(both.columns).toMatchObject([{ model: 'm' }, { id: 50, model: 'other', turns: [{ text: 'Why?' }] }])
    expect(withColumn(both, 51, 'third')).toBe(both)
    expect(withoutColumn(both, 10).columns).toMatchObject([{ model: 'other' }])
  })
})
