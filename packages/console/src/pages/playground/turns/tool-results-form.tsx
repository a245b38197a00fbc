import { Send } from 'lucide-react'
import { useState } from 'react'
import { onSubmit } from '../../../lib/on-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextArea } from '../../../parts/control/field.tsx'
import type { ToolResult } from '../conversation/turn.ts'
import type { ToolCall } from '../request/read-stream.ts'

interface ToolResultsFormProps {
  calls: readonly ToolCall[]
  onSend: (results: ToolResult[]) => void
}

/** The playground runs no tools. You type in the results they would return. */
export function ToolResultsForm({ calls, onSend }: ToolResultsFormProps) {
  const [texts, setTexts] = useState<readonly string[]>(() => calls.map(() => ''))
  return (
    <form
      className="card card-body stack"
      aria-label="Tool results"
      onSubmit={onSubmit(() => onSend(calls.map((call, index) => ({ call, text: texts[index] ?? '' }))))}
    >
      {calls.map((call, index) => (
        <TextArea
          key={call.id}
          label={`Result of ${call.function.name}`}
          hint={index === 0 ? 'The value your app would return, often JSON.' : undefined}
          rows={3}
          className="input font-mono text-small [tab-size:2]"
          spellCheck={false}
          value={texts[index] ?? ''}
          onChange={({ target }) => setTexts((all) => all.with(index, target.value))}
        />
      ))}
      <div>
        <Button type="submit" kind="primary" icon={Send}>
          Send results
        </Button>
      </div>
    </form>
  )
}
