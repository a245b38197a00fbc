import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isUnused } from './chats.ts'
import type { ChatInHand } from './use-chat.ts'

/** The URL names the conversation and its model, for reloads and links. It follows the page; a link makes the page follow the URL. */
export function useChatInUrl(hand: ChatInHand, onOpen: (linked: string | undefined) => void): void {
  const { open, chat } = useSearch({ strict: false })
  const navigate = useNavigate()
  const before = useRef<string>(undefined)
  const { model } = hand.lanes[0]
  const current = isUnused(hand.chat) ? undefined : nameInUrl(hand.chat.id)
  const follow = useEffectEvent((open?: string, chat?: string, model?: string, current?: string) => {
    const now = `${model} ${current}`
    const isChosen = before.current !== undefined && before.current !== now
    before.current = now
    if (model !== undefined && open === model && chat === current) return
    const linked = hand.chats.find(({ id }) => nameInUrl(id) === chat)
    if (linked && linked.id !== hand.chat.id && !isChosen) hand.store.select(linked.id)
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
