// The conversations of a person. Each has one lane, or two while models are compared: a lane is a model and what was said to it.

import type { Preset } from '../settings/preset.ts'
import { isRunning, stopAll, type Turn } from './conversation.ts'

export interface Lane {
  id: number
  /** Undefined until the page opens, which picks one that a device serves. */
  model: string | undefined
  turns: readonly Turn[]
}

export interface Chat {
  id: number
  /** A name that someone gave. Without one, the first question is the name. */
  name: string | undefined
  lanes: readonly [Lane, ...Lane[]]
}

/** The newest chat comes first. There is always a current one. */
export interface Chats {
  chats: readonly Chat[]
  current: number
  presets: readonly Preset[]
  /** Why this browser keeps nothing, if so. */
  fault: string | undefined
}

const LONGEST_NAME = 60
export const MAX_LANES = 2

export function currentChat(state: Chats): Chat {
  return findChat(state, state.current)
}

export function findChat({ chats }: Chats, id: number): Chat {
  const chat = chats.find((one) => one.id === id)
  if (chat) return chat
  throw new Error(`There is no chat ${id}.`)
}

export function nameOf({ name, lanes }: Chat): string {
  if (name !== undefined) return name
  const question = lanes[0].turns.find(({ role }) => role === 'user')
  if (question?.role !== 'user') return 'New conversation'
  const line = question.text.trim().split('\n', 1)[0] || question.files?.[0]?.name || 'New conversation'
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).trimEnd()}…` : line
}

export function isUnused({ lanes }: Chat): boolean {
  return lanes.every(({ turns }) => turns.length === 0)
}

export function isChatRunning({ lanes }: Chat): boolean {
  return lanes.some(({ turns }) => isRunning(turns))
}

export function questionCount({ lanes }: Chat): number {
  return lanes[0].turns.filter(({ role }) => role === 'user').length
}

/** Puts a new chat in front. It starts with the models of the chat before it. An unused one in front is taken instead. */
export function withNewChat(state: Chats, nextId: () => number): Chats {
  const [first] = state.chats
  if (first && isUnused(first)) return { ...state, current: first.id }
  const [lane, ...others] = currentChat(state).lanes
  const empty = ({ model }: Lane): Lane => ({ id: nextId(), model, turns: [] })
  const chat: Chat = { id: nextId(), name: undefined, lanes: [empty(lane), ...others.map(empty)] }
  return { ...state, chats: [chat, ...state.chats], current: chat.id }
}

/** A link to a model opens a new chat, unless nothing was said yet: a chat keeps its model until someone chooses another. */
export function withModel(state: Chats, model: string, nextId: () => number): Chats {
  const next = isUnused(currentChat(state)) ? state : withNewChat(state, nextId)
  return changeLane(next, currentChat(next).lanes[0].id, { model })
}

/** Without this chat or preset. The neighbor of the current chat takes its place, and an empty one the place of the last. */
export function withoutItem(state: Chats, id: number, nextId: () => number): Chats {
  const index = state.chats.findIndex((chat) => chat.id === id)
  const chats = state.chats.filter((chat) => chat.id !== id)
  const rest = { ...state, chats, presets: state.presets.filter((preset) => preset.id !== id) }
  if (state.current !== id) return rest
  const next = chats[Math.min(index, chats.length - 1)]
  return next ? { ...rest, current: next.id } : { ...rest, ...startChats(nextId, findChat(state, id).lanes[0].model) }
}

/** With this chat or preset, in front of others but not of an unused chat, or in place of the one with its id. */
export function withItem(state: Chats, item: Chat | Preset): Chats {
  if (!('lanes' in item)) return { ...state, presets: [item, ...state.presets.filter(({ id }) => id !== item.id)] }
  if (state.chats.some(({ id }) => id === item.id)) return changeChat(state, item.id, () => item)
  const [first, ...others] = state.chats
  return { ...state, chats: first && isUnused(first) ? [first, item, ...others] : [item, ...state.chats] }
}

export function startChats(nextId: () => number, model?: string): Pick<Chats, 'chats' | 'current'> {
  const chat: Chat = { id: nextId(), name: undefined, lanes: [{ id: nextId(), model, turns: [] }] }
  return { chats: [chat], current: chat.id }
}

export function changeChat(state: Chats, id: number, change: (chat: Chat) => Chat): Chats {
  return { ...state, chats: state.chats.map((chat) => (chat.id === id ? change(chat) : chat)) }
}

export function changeLane(state: Chats, id: number, changes: Partial<Lane>): Chats {
  const change = (lane: Lane) => (lane.id === id ? { ...lane, ...changes } : lane)
  const chats = state.chats.map((chat) => {
    if (chat.lanes.every((lane) => lane.id !== id)) return chat
    const [first, ...others] = chat.lanes
    return { ...chat, lanes: [change(first), ...others.map(change)] as const }
  })
  return { ...state, chats }
}

/** A second lane knows what was said so far, so that both models continue from the same place. */
export function withLane(chat: Chat, id: number, model: string): Chat {
  if (chat.lanes.length >= MAX_LANES) return chat
  return { ...chat, lanes: [...chat.lanes, { id, model, turns: stopAll(chat.lanes[0].turns) }] }
}

export function withoutLane(chat: Chat, id: number): Chat {
  const [first, ...others] = chat.lanes.filter((lane) => lane.id !== id)
  return first ? { ...chat, lanes: [first, ...others] } : chat
}

/** A chat that comes back after its requests were stopped, or from another visit. */
export function stopChat(chat: Chat): Chat {
  const stop = (lane: Lane): Lane => ({ ...lane, turns: stopAll(lane.turns) })
  const [first, ...others] = chat.lanes
  return { ...chat, lanes: [stop(first), ...others.map(stop)] }
}
