import { Suspense } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { CopyButton } from '../../../parts/code/copy-button.tsx'
import type { Choice } from '../request/answer.ts'
import { Citations } from './citations.tsx'
import { TokenMap } from './token-map.tsx'
import { ToolCallView } from './tool-call.tsx'
import type { View } from './view.ts'

const Markdown = lazyPart(async () => (await import('../markdown/markdown.tsx')).Markdown)

interface ChoiceProps {
  choice: Choice
  view: View
  isJson: boolean
  isRunning: boolean
}

export function ChoiceView({ choice, view, isJson, isRunning }: ChoiceProps) {
  const { text, calls, citations, finish } = choice
  return (
    <div className="stack-small">
      {text !== '' && <Text {...{ choice, view, isJson, isRunning: isRunning && finish === null }} />}
      {calls.map((call) => (
        <ToolCallView key={call.id} call={call} />
      ))}
      <Citations citations={citations} />
    </div>
  )
}

/** How the choice ended, and a button to copy its text. */
export function ChoiceEnd({ choice: { finish, text } }: { choice: Choice }) {
  if (finish === null) return null
  return (
    <>
      <span className="small faint">
        {FINISHES[finish] ?? 'Ended'} <code>{finish}</code>
      </span>
      {text !== '' && <CopyButton isBare text={text} label="Copy response" />}
    </>
  )
}

const FINISHES: Record<string, string> = {
  stop: 'Complete',
  length: 'Reached the token limit',
  tool_calls: 'Called tools',
}

function Text({ choice, view, isJson, isRunning }: ChoiceProps) {
  const { text, tokens, tokenCount } = choice
  const className = `model-text ${isRunning ? 'is-running' : ''}`
  if (view === 'tokens' && tokenCount > 0) return <TokenMap tokens={tokens} count={tokenCount} />
  const plain = (
    <div className={`${className} ${isJson ? 'model-json' : ''}`} dir="auto">
      {text}
    </div>
  )
  if (view === 'plain' || isJson) return plain
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} isRunning={isRunning} />
    </Suspense>
  )
}
