import { describe, expect, it } from 'vitest'
import { nameOf, withLane, withModel, withNewChat, withoutItem, withoutLane, type Chat, type Chats } from './chats.ts'
import type { Turn } from './conversation.ts'

const REST = { presets: [], fault: undefined }
const question = (text: string): Turn => ({ id: 9, role: 'user', text })
const chat = (id: number, ...turns: Turn[]): Chat => ({
  id,
  name: undefined,
  lanes: [{ id: id * 10, model: 'm', turns }],
})
const counter = () => {
  let last = 100
  return () => ++last
}

describe('chats', () => {
  it('are named after their first question, cut to a line', () => {
    expect(nameOf(chat(1))).toBe('New conversation')
    expect(nameOf(chat(1, question('  Why?\nBecause')))).toBe('Why?')
    expect(nameOf(chat(1, question('x'.repeat(80))))).toBe(`${'x'.repeat(60)}…`)
    const file = { id: 1, name: 'notes.md', size: 1, text: 'x' }
    expect(nameOf(chat(1, { id: 2, role: 'user', text: ' ', files: [file] }))).toBe('notes.md')
    expect(nameOf({ ...chat(1, question('Why?')), name: 'Mine' })).toBe('Mine')
  })

  it('start with the model of the one before, and an unused one is taken again', () => {
    const used: Chats = { chats: [chat(1, question('Why?'))], current: 1, ...REST }
    const more = withNewChat(used, counter())
    expect(more.chats).toHaveLength(2)
    expect(more.chats[0]).toMatchObject({ id: more.current, lanes: [{ model: 'm', turns: [] }] })
    expect(withNewChat({ ...more, current: 1 }, counter())).toStrictEqual(more)
  })

  it('keep their model once something was said: a link to another one opens another chat', () => {
    const used: Chats = { chats: [chat(1, question('Why?'))], current: 1, ...REST }
    const opened = withModel(used, 'other', counter())
    expect(opened.chats).toMatchObject([{ id: opened.current, lanes: [{ model: 'other', turns: [] }] }, used.chats[0]!])
    expect(withModel(opened, 'third', counter()).chats).toMatchObject([{ lanes: [{ model: 'third' }] }, used.chats[0]!])
  })

  it('always leave one to write in', () => {
    const two: Chats = { chats: [chat(1, question('a')), chat(2, question('b'))], current: 1, ...REST }
    const one = withoutItem(two, 1, counter())
    expect(one).toStrictEqual({ chats: [two.chats[1]], current: 2, ...REST })
    expect(withoutItem(two, 2, counter()).current).toBe(1)
    const none = withoutItem(one, 2, counter())
    expect(none.chats).toMatchObject([{ id: none.current, lanes: [{ model: 'm', turns: [] }] }])
  })

  it('have a second lane that knows what was said', () => {
    const both = withLane(chat(1, question('Why?')), 50, 'other')
    expect(both.lanes).toMatchObject([{ model: 'm' }, { id: 50, model: 'other', turns: [{ text: 'Why?' }] }])
    expect(withLane(both, 51, 'third')).toBe(both)
    expect(withoutLane(both, 10).lanes).toMatchObject([{ model: 'other' }])
  })
})
