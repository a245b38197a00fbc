import { memo } from 'react'
import { plural } from '../../../lib/format.ts'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { AssistantTurnView } from '../response/assistant-turn.tsx'
import type { ChatColumn } from '../conversation/chats.ts'
import { isRunning, laterTurns, openCalls, type Turn } from '../conversation/turn.ts'
import { ToolBlock } from '../response/choice-view.tsx'
import { ToolResultsForm } from './tool-results-form.tsx'
import type { ChatStore, RemovedTurns } from '../conversation/chat-store.ts'
import { UserTurnView } from './user-turn.tsx'
import type { View } from '../response/view.ts'

export interface TurnsProps {
  column: ChatColumn
  store: ChatStore
  view: View
  /** False while nothing can be sent. */
  maySend: boolean
  /** The message that is being edited. */
  editing: number | undefined
  onEditing: (turn: number | undefined) => void
}

export function Turns(props: TurnsProps) {
  const { column, store } = props
  const { id, turns } = column
  const calls = openCalls(turns)
  return (
    <div className="grid gap-15 min-w-0">
      <h2 className="sr-only">Conversation</h2>
      {turns.map((turn) => (
        <TurnView key={turn.id} turn={turn} {...props} />
      ))}
      {calls.length > 0 && (
        <ToolResultsForm key={turns.at(-1)?.id} calls={calls} onSend={(results) => store.sendResults(id, results)} />
      )}
      <p className="sr-only" role="status">
        {isRunning(turns) ? 'Generating a response' : endOf(turns.at(-1))}
      </p>
    </div>
  )
}

function TurnView({ turn, column, store, view, maySend, editing, onEditing }: TurnsProps & { turn: Turn }) {
  const { id, turns } = column
  const mayChange = maySend && !isRunning(turns)
  switch (turn.role) {
    case 'user':
      return (
        <UserTurnView
          turn={turn}
          isEditing={turn.id === editing}
          later={laterTurns(turns, turn.id)}
          {...(mayChange && { onEditing: (isEditing) => onEditing(isEditing ? turn.id : undefined) })}
          onEdit={(text) => reportRemoved(store.edit(id, turn.id, text))}
        />
      )
    case 'tool':
      return (
        <article className="turn min-w-0 grid gap-6" aria-label="Tool results">
          {turn.results.map(({ call, text }) => (
            <ToolBlock key={call.id} call={call} label="Result" text={text}>
              <span className="text-soft">Result of</span>
              <code className="font-strong">{call.function.name}</code>
            </ToolBlock>
          ))}
        </article>
      )
    case 'assistant':
      return (
        <MemoizedTurn
          turn={turn}
          view={view}
          isLast={turn === turns.at(-1)}
          mayRetry={mayChange}
          onRetry={() => reportRemoved(store.retry(id, turn.id))}
          onContinue={() => store.continue(id, turn.id)}
          onChoose={(choice) => store.choose(id, turn.id, choice)}
        />
      )
    default:
      return turn satisfies never
  }
}

/** Nothing disappears without a word, or for good. */
function reportRemoved({ count, restore }: RemovedTurns): void {
  if (count > 0) showToast(`${plural(count, 'later message')} removed`, restore)
}

/** Earlier responses do not render again while a new one grows. */
const MemoizedTurn = memo(AssistantTurnView, (one, other) => {
  return (
    one.turn === other.turn && one.view === other.view && one.isLast === other.isLast && one.mayRetry === other.mayRetry
  )
})

function endOf(turn: Turn | undefined): string {
  if (turn?.role !== 'assistant') return ''
  return {
    running: '',
    done: 'Response complete',
    stopped: 'Response stopped',
    failed: 'Response failed',
  }[turn.state]
}
