import type { ToolTurn } from '../conversation/conversation.ts'

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
