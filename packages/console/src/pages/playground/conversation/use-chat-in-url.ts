import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isUnused } from './chats.ts'
import type { ChatState } from './use-chat.ts'

/** The URL names the conversation and its model, for reloads and links. It follows the page; a link makes the page follow the URL. */
export function useChatInUrl(chatState: ChatState, onOpen: (linked: string | undefined) => void): void {
  const { open, chat } = useSearch({ strict: false })
  const navigate = useNavigate()
  const before = useRef<string>(undefined)
  const { model } = chatState.columns[0]
  const current = isUnused(chatState.chat) ? undefined : nameInUrl(chatState.chat.id)
  const follow = useEffectEvent((open?: string, chat?: string, model?: string, current?: string) => {
    const now = `${model} ${current}`
    const isChosen = before.current !== undefined && before.current !== now
    before.current = now
    if (model !== undefined && open === model && chat === current) return
    const linked = chatState.chats.find(({ id }) => nameInUrl(id) === chat)
    if (linked && linked.id !== chatState.chat.id && !isChosen) chatState.store.select(linked.id)
    else if (model === undefined || (open !== undefined && open !== model && !isChosen)) onOpen(open)
    else void navigate({ to: '/playground', search: { open: model, chat: current }, hash: true, replace: true })
  })
  // Before anything shows: the page opens with a new conversation.
  useLayoutEffect(() => follow(open, chat, model, current), [open, chat, model, current])
}

/** The letter keeps the router from reading it as a number. */
function nameInUrl(id: number): string {
  return `c${id}`
}
