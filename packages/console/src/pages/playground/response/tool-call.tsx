import { Wrench } from 'lucide-react'
import { indentJson } from '../../../lib/indent-json.ts'
import type { ToolCall } from '../request/read-stream.ts'

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
