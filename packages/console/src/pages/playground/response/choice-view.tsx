import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { CopyButton } from '../../../parts/code/copy-button.tsx'
import type { Choice, Citation } from '../request/answer.ts'
import { TokenMap } from './token-map.tsx'
import type { View } from './view.ts'
import { OutsideLink } from '../../../parts/markdown/outside-link.tsx'
import { Wrench } from 'lucide-react'
import { indentJson } from '../../../lib/indent-json.ts'
import type { ToolCall } from '../request/read-stream.ts'

const Markdown = lazyPart(async () => (await import('../../../parts/markdown/markdown.tsx')).Markdown)

interface ChoiceProps {
  /** Of this choice of this response, also when it is shown again. */
  id: string
  choice: Choice
  view: View
  isJson: boolean
  isRunning: boolean
}

export function ChoiceView({ id, choice, view, isJson, isRunning }: ChoiceProps) {
  const { text, calls, citations, finish } = choice
  return (
    <div className="stack-small">
      {text !== '' && <Text {...{ id, choice, view, isJson, isRunning: isRunning && finish === null }} />}
      {calls.map((call) => (
        <ToolBlock key={call.id} call={call} label="Arguments" text={indentJson(call.function.arguments)}>
          <Wrench size={14} aria-hidden />
          <span className="text-soft">Tool call</span>
          <code className="font-strong">{call.function.name}</code>
          <code className="text-faint">{call.id}</code>
        </ToolBlock>
      ))}
      <Citations citations={citations} />
    </div>
  )
}

/** How the choice ended, and a button to copy its text. */
export function ChoiceEnd({ choice: { finish, text }, isRunning }: Pick<ChoiceProps, 'choice' | 'isRunning'>) {
  return (
    <>
      {finish !== null && (
        <span className="text-small text-faint">
          {FINISHES[finish] ?? 'Ended'} <code>{finish}</code>
        </span>
      )}
      {!isRunning && text !== '' && <CopyButton isBare text={text} label="Copy response" />}
    </>
  )
}

const FINISHES: Record<string, string> = {
  stop: 'Complete',
  length: 'Reached the token limit',
  tool_calls: 'Called tools',
}

function Text({ id, choice, view, isJson, isRunning }: ChoiceProps) {
  const { text, tokens, tokenCount } = choice
  const className = `model-text ${isRunning ? 'is-running' : ''}`
  if (view === 'tokens' && tokenCount > 0) return <TokenMap tokens={tokens} count={tokenCount} />
  const plain = (
    <div className={`${className} ${isJson ? 'font-mono text-[0.92em]' : ''}`} dir="auto">
      {text}
    </div>
  )
  if (view === 'plain' || isJson) return plain
  return (
    <Suspense fallback={plain}>
      <Markdown id={id} text={text} isRunning={isRunning} />
    </Suspense>
  )
}

/** The sources that the response cites. */
function Citations({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null
  return (
    <section className="[&_li>span]:block" aria-label="Sources">
      <h3 className="text-small text-soft">Sources</h3>
      <ol className="grid gap-2.5 pl-14 list-decimal">
        {citations.map(({ url, title }, index) => (
          <li key={index}>
            <OutsideLink address={url}>{title || url}</OutsideLink>
            <span className="text-small text-faint model-text">{url}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface ToolBlockProps {
  call: ToolCall
  /** "Arguments" or "Result", for screen readers. */
  label: string
  text: string
  children: ReactNode
}

/** A tool call with its arguments, or the result that someone typed in. */
export function ToolBlock({ call, label, text, children }: ToolBlockProps) {
  return (
    <div className="tool-call grid gap-4 min-w-0 px-9 py-7 bg-sunken border border-line rounded">
      <p className="row text-small">{children}</p>
      <pre className="model-text max-h-200 overflow-auto" tabIndex={0} aria-label={`${label} of ${call.function.name}`}>
        {text}
      </pre>
    </div>
  )
}
