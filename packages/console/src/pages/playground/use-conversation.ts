import { useEffect, useRef, useState } from 'react'
import { ApiFailure, isSignedOut } from '../../api/client.ts'
import { forgetPerson } from '../../api/queries.ts'
import { copyAnswer, startAnswer } from './answer.ts'
import { ask } from './ask.ts'
import { askedTurns, type AssistantTurn, type ToolResult, type Turn } from './conversation.ts'
import type { Body } from './make-body.ts'
import { oncePerFrame } from './once-per-frame.ts'
import { PlaygroundKey } from './playground-key.ts'
import { useKept } from './use-kept.ts'

let lastId = 0

/** `bodyFor` makes the request body for these turns with the current settings. */
export function useConversation(organization: string, bodyFor: (turns: readonly Turn[]) => Body) {
  const [kept, setTurns] = useKept<readonly Turn[]>(organization, 'turns', [])
  const [key] = useState(() => new PlaygroundKey(organization))
  const running = useRef<AbortController | undefined>(undefined)
  const makeBody = useRef(bodyFor)
  makeBody.current = bodyFor
  useEffect(() => () => running.current?.abort(), [])
  const last = kept.at(-1)
  const isRunning = last?.role === 'assistant' && last.state === 'running' && running.current !== undefined
  const turns = isRunning ? kept : stopAll(kept)

  async function run(asked: readonly Turn[]): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const body = makeBody.current(asked)
    const turn = startTurn(body)
    setTurns([...asked, turn])
    const change = (changes: Partial<AssistantTurn>) => setTurns((all) => changeTurn(all, turn.id, changes))
    const grow = oncePerFrame(() => change({ answer: copyAnswer(turn.answer) }))
    const end = await ask(body, key, turn.answer, () => grow.ask(), controller.signal).then(
      () => ({ state: 'done' }) as const,
      (error: unknown) => endOf(error, controller.signal),
    )
    grow.cancel()
    if (running.current === controller) running.current = undefined
    change({ answer: copyAnswer(turn.answer), ...end })
  }

  const stop = () => running.current?.abort()

  return {
    turns,
    isRunning,
    send: (text: string) => void run([...turns, { id: ++lastId, role: 'user', text }]),
    sendResults: (results: ToolResult[]) => void run([...turns, { id: ++lastId, role: 'tool', results }]),
    retry: () => void run(askedTurns(turns)),
    /** Replaces the message and drops everything after it. */
    edit: (id: number, text: string) => void run([...before(turns, id), { id: ++lastId, role: 'user', text }]),
    choose: (id: number, chosen: number) => setTurns((all) => changeTurn(all, id, { chosen })),
    stop,
    clear: () => {
      stop()
      setTurns([])
      return () => setTurns(stopAll(turns))
    },
  }
}

export type Conversation = ReturnType<typeof useConversation>

function startTurn(body: Body): AssistantTurn {
  const answer = startAnswer(Number(body['n'] ?? 1), performance.now(), body['response_format'] !== undefined)
  return { id: ++lastId, role: 'assistant', answer, state: 'running', failure: null, chosen: 0 }
}

function changeTurn(turns: readonly Turn[], id: number, changes: Partial<AssistantTurn>): readonly Turn[] {
  return turns.map((turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...changes } : turn))
}

function before(turns: readonly Turn[], id: number): readonly Turn[] {
  return turns.slice(
    0,
    turns.findIndex((turn) => turn.id === id),
  )
}

// A response stops growing when its page closes.
function stopAll(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some((turn) => turn.role === 'assistant' && turn.state === 'running')) return turns
  return turns.map((turn) =>
    turn.role === 'assistant' && turn.state === 'running' ? { ...turn, state: 'stopped' } : turn,
  )
}

function endOf(error: unknown, signal: AbortSignal): Partial<AssistantTurn> {
  if (signal.aborted) return { state: 'stopped' }
  if (isSignedOut(error)) forgetPerson()
  const message = "Couldn't read the response. Reload the page."
  const failure = error instanceof ApiFailure ? error : new ApiFailure(0, { code: 'unknown', message, param: null })
  return { state: 'failed', failure }
}
