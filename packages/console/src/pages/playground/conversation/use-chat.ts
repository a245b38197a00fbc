import { use, useLayoutEffect } from 'react'
import { useSession } from '../../../session/session.ts'
import { chatsOf, type BodyFor } from './chat-store.ts'
import { currentChat, isChatRunning, type ChatColumn } from './chats.ts'

/** The current conversation, and everything that can be done in it. */
export function useChat(bodyFor: (columns: readonly ChatColumn[]) => BodyFor) {
  const { me, organization } = useSession()
  const store = chatsOf(`${me.person.id} ${organization.id}`, organization.id)
  use(store.ready)
  const state = store.state.use()
  const chat = currentChat(state)
  // Turns that render once keep the actions of that render, and still have to use the current settings.
  useLayoutEffect(() => store.prepareWith(bodyFor(chat.columns)))
  return { store, ...state, chat, columns: chat.columns, isRunning: isChatRunning(chat) }
}

export type ChatState = ReturnType<typeof useChat>
