import { Wrench } from 'lucide-react'
import type { ToolTurn } from './conversation.ts'
import { indentJson } from './read-json.ts'
import type { ToolCall } from './read-stream.ts'

/** A tool call with its arguments. */
export function ToolCallView({ call }: { call: ToolCall }) {
  return (
    <div className="tool-call">
      <p className="row small">
        <Wrench size={14} aria-hidden />
        <span className="soft">Tool call</span>
        <code className="tool-name">{call.function.name}</code>
        <code className="faint">{call.id}</code>
      </p>
      <pre className="model-text" tabIndex={0} aria-label={`Arguments of ${call.function.name}`}>
        {indentJson(call.function.arguments)}
      </pre>
    </div>
  )
}

export function ToolTurnView({ turn }: { turn: ToolTurn }) {
  return (
    <article className="turn turn-tool" aria-label="Tool results">
      {turn.results.map(({ call, text }) => (
        <div key={call.id} className="tool-call">
          <p className="row small">
            <span className="soft">Result of</span>
            <code className="tool-name">{call.function.name}</code>
          </p>
          <pre className="model-text" tabIndex={0} aria-label={`Result of ${call.function.name}`}>
            {text}
          </pre>
        </div>
      ))}
    </article>
  )
}
