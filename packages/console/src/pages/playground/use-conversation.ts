import { useRef, useSyncExternalStore } from 'react'
import { conversationOf, nextTurnId } from './conversation-store.ts'
import { askedTurns, isRunning, stopAll, type ToolResult, type Turn } from './conversation.ts'
import type { Body } from './make-body.ts'

/** `bodyFor` makes the request body for these turns with the current settings. */
export function useConversation(organization: string, bodyFor: (turns: readonly Turn[]) => Body) {
  const store = conversationOf(organization)
  const turns = useSyncExternalStore(store.watch, store.snapshot)
  const makeBody = useRef(bodyFor)
  // Turns that render once keep the functions of that render, and still have to use the current settings.
  makeBody.current = bodyFor
  const run = (asked: readonly Turn[]) => void store.run(asked, makeBody.current(asked))
  return {
    turns,
    isRunning: isRunning(turns),
    send: (text: string) => run([...turns, { id: nextTurnId(), role: 'user', text }]),
    sendResults: (results: ToolResult[]) => run([...turns, { id: nextTurnId(), role: 'tool', results }]),
    retry: () => run(askedTurns(turns)),
    /** Replaces the message and drops everything after it. */
    edit: (id: number, text: string) => run([...before(turns, id), { id: nextTurnId(), role: 'user', text }]),
    choose: (id: number, chosen: number) => store.change(id, { chosen }),
    stop: () => store.stop(),
    clear: () => {
      store.stop()
      store.set([])
      return () => store.set(stopAll(turns))
    },
  }
}

export type Conversation = ReturnType<typeof useConversation>

function before(turns: readonly Turn[], id: number): readonly Turn[] {
  return turns.slice(
    0,
    turns.findIndex((turn) => turn.id === id),
  )
}
