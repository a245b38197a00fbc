import { useLayoutEffect, useMemo } from 'react'
import { ChatActions } from './chat-actions.ts'
import { chatsOf, type BodyFor } from './chat-store.ts'
import { currentChat, type Lane } from './chats.ts'
import { isRunning } from './conversation.ts'

/** The current conversation, and everything that can be done in it. */
export function useChat(organization: string, bodyFor: (lanes: readonly Lane[]) => BodyFor) {
  const store = chatsOf(organization)
  const state = store.state.use()
  const chat = currentChat(state)
  // Turns that render once keep the actions of that render, and still have to use the current settings.
  useLayoutEffect(() => store.prepareWith(bodyFor(chat.lanes)))
  const actions = useMemo(() => new ChatActions(store), [store])
  const isBusy = chat.lanes.some(({ turns }) => isRunning(turns))
  return { store, actions, chats: state.chats, chat, lanes: chat.lanes, isRunning: isBusy }
}

export type ChatInHand = ReturnType<typeof useChat>
