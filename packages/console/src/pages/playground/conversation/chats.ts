// The conversations of a person. Each has one column, or two while models are compared: a column is a model and what was said to it.

import type { Preset } from '../settings/preset.ts'
import { isRunning, stopAll, type Turn } from './turn.ts'

export interface ChatColumn {
  id: number
  /** Undefined until the page opens, which picks one that a device serves. */
  model: string | undefined
  turns: readonly Turn[]
}

export interface Chat {
  id: number
  /** A name that someone gave. Without one, the first question is the name. */
  name: string | undefined
  columns: readonly [ChatColumn, ...ChatColumn[]]
}

/** The newest chat comes first. There is always a current one. */
export interface Chats {
  chats: readonly Chat[]
  current: number
  presets: readonly Preset[]
  /** Why this browser keeps nothing, if so. */
  storageError: string | undefined
}

const LONGEST_NAME = 60
export const MAX_COLUMNS = 2

export function currentChat(state: Chats): Chat {
  return findChat(state, state.current)
}

export function findChat({ chats }: Chats, id: number): Chat {
  const chat = chats.find((one) => one.id === id)
  if (chat) return chat
  throw new Error(`There is no chat ${id}.`)
}

export function chatName({ name, columns }: Chat): string {
  if (name !== undefined) return name
  const question = columns[0].turns.find(({ role }) => role === 'user')
  if (question?.role !== 'user') return 'New conversation'
  const line = question.text.trim().split('\n', 1)[0] || question.files?.[0]?.name || 'New conversation'
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).trimEnd()}…` : line
}

export function isUnused({ columns }: Chat): boolean {
  return columns.every(({ turns }) => turns.length === 0)
}

export function isChatRunning({ columns }: Chat): boolean {
  return columns.some(({ turns }) => isRunning(turns))
}

export function questionCount({ columns }: Chat): number {
  return columns[0].turns.filter(({ role }) => role === 'user').length
}

/** Puts a new chat in front. It starts with the models of the chat before it. An unused one in front is taken instead. */
export function withNewChat(state: Chats, nextId: () => number): Chats {
  const [first] = state.chats
  if (first && isUnused(first)) return { ...state, current: first.id }
  const [column, ...others] = currentChat(state).columns
  const empty = ({ model }: ChatColumn): ChatColumn => ({ id: nextId(), model, turns: [] })
  const chat: Chat = { id: nextId(), name: undefined, columns: [empty(column), ...others.map(empty)] }
  return { ...state, chats: [chat, ...state.chats], current: chat.id }
}

/** A link to a model opens a new chat, unless nothing was said yet: a chat keeps its model until someone chooses another. */
export function withModel(state: Chats, model: string, nextId: () => number): Chats {
  const next = isUnused(currentChat(state)) ? state : withNewChat(state, nextId)
  return changeColumn(next, currentChat(next).columns[0].id, { model })
}

/** Without this chat or preset. The neighbor of the current chat takes its place, and an empty one the place of the last. */
export function withoutItem(state: Chats, id: number, nextId: () => number): Chats {
  const index = state.chats.findIndex((chat) => chat.id === id)
  const chats = state.chats.filter((chat) => chat.id !== id)
  const rest = { ...state, chats, presets: state.presets.filter((preset) => preset.id !== id) }
  if (state.current !== id) return rest
  const next = chats[Math.min(index, chats.length - 1)]
  return next ? { ...rest, current: next.id } : { ...rest, ...startChats(nextId, findChat(state, id).columns[0].model) }
}

/** With this chat or preset, in front of others but not of an unused chat, or in place of the one with its id. */
export function withItem(state: Chats, item: Chat | Preset): Chats {
  if (!('columns' in item)) return { ...state, presets: [item, ...state.presets.filter(({ id }) => id !== item.id)] }
  if (state.chats.some(({ id }) => id === item.id)) return changeChat(state, item.id, () => item)
  const [first, ...others] = state.chats
  return { ...state, chats: first && isUnused(first) ? [first, item, ...others] : [item, ...state.chats] }
}

export function startChats(nextId: () => number, model?: string): Pick<Chats, 'chats' | 'current'> {
  const chat: Chat = { id: nextId(), name: undefined, columns: [{ id: nextId(), model, turns: [] }] }
  return { chats: [chat], current: chat.id }
}

export function changeChat(state: Chats, id: number, change: (chat: Chat) => Chat): Chats {
  return { ...state, chats: state.chats.map((chat) => (chat.id === id ? change(chat) : chat)) }
}

export function changeColumn(state: Chats, id: number, changes: Partial<ChatColumn>): Chats {
  const change = (column: ChatColumn) => (column.id === id ? { ...column, ...changes } : column)
  const chats = state.chats.map((chat) => {
    if (chat.columns.every((column) => column.id !== id)) return chat
    const [first, ...others] = chat.columns
    return { ...chat, columns: [change(first), ...others.map(change)] as const }
  })
  return { ...state, chats }
}

/** A second column knows what was said so far, so that both models continue from the same place. */
export function withColumn(chat: Chat, id: number, model: string): Chat {
  if (chat.columns.length >= MAX_COLUMNS) return chat
  return { ...chat, columns: [...chat.columns, { id, model, turns: stopAll(chat.columns[0].turns) }] }
}

export function withoutColumn(chat: Chat, id: number): Chat {
  const [first, ...others] = chat.columns.filter((column) => column.id !== id)
  return first ? { ...chat, columns: [first, ...others] } : chat
}

/** A chat that comes back after its requests were stopped, or from another visit. */
export function stopChat(chat: Chat): Chat {
  const stop = (column: ChatColumn): ChatColumn => ({ ...column, turns: stopAll(column.turns) })
  const [first, ...others] = chat.columns
  return { ...chat, columns: [stop(first), ...others.map(stop)] }
}
