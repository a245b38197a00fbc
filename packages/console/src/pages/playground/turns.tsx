import { MessagesSquare } from 'lucide-react'
import { memo } from 'react'
import { AssistantTurnView } from './assistant-turn.tsx'
import { openCalls, type Turn } from './conversation.ts'
import { ToolTurnView } from './tool-turn.tsx'
import { ToolResultsForm } from './tool-results-form.tsx'
import type { Conversation } from './use-conversation.ts'
import { UserTurnView } from './user-turn.tsx'
import type { View } from './view.ts'
import './turns.css'

interface TurnsProps {
  conversation: Conversation
  view: View
  onExample: (text: string) => void
}

export function Turns({ conversation, view, onExample }: TurnsProps) {
  const { turns, isRunning } = conversation
  const calls = openCalls(turns)
  if (turns.length === 0) return <Welcome onExample={onExample} />
  return (
    <div className="turns">
      <h2 className="unseen">Conversation</h2>
      {turns.map((turn) => (
        <TurnView key={turn.id} {...{ turn, conversation, view }} />
      ))}
      {calls.length > 0 && <ToolResultsForm key={turns.at(-1)?.id} calls={calls} onSend={conversation.sendResults} />}
      <p className="unseen" role="status">
        {isRunning ? 'Generating a response' : endOf(turns.at(-1))}
      </p>
    </div>
  )
}

interface TurnViewProps {
  turn: Turn
  conversation: Conversation
  view: View
}

function TurnView({ turn, conversation, view }: TurnViewProps) {
  const { turns, isRunning } = conversation
  const isLast = turn === turns.at(-1)
  switch (turn.role) {
    case 'user': {
      const mayEdit = !isRunning && turn === turns.findLast(({ role }) => role === 'user')
      return <UserTurnView turn={turn} {...(mayEdit && { onEdit: (text) => conversation.edit(turn.id, text) })} />
    }
    case 'tool':
      return <ToolTurnView turn={turn} />
    case 'assistant':
      return <OldOrNew turn={turn} view={view} isLast={isLast} conversation={conversation} />
    default:
      return turn satisfies never
  }
}

/** Earlier responses do not render again while a new one grows. */
const OldOrNew = memo(AssistantTurnView, (one, other) => {
  return one.turn === other.turn && one.view === other.view && one.isLast === other.isLast
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

const EXAMPLES = [
  'Explain in three sentences why the sky is blue.',
  'Write a haiku about a computer that stays at home.',
  'Compare TCP and UDP in a small table.',
]

function Welcome({ onExample }: { onExample: (text: string) => void }) {
  return (
    <div className="welcome">
      <span className="empty-icon">
        <MessagesSquare size={22} aria-hidden />
      </span>
      <h2>Send a message to start</h2>
      <ul>
        {EXAMPLES.map((text) => (
          <li key={text}>
            <button type="button" className="welcome-example" onClick={() => onExample(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
