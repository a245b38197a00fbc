import { formatCount, formatSpeed } from '../../../lib/format.ts'
import { speedOf, type Answer } from '../request/answer.ts'

/** Timing and token usage of a response. */
export function AnswerFacts({ answer }: { answer: Answer }) {
  return (
    <dl className="answer-facts small">
      {factsOf(answer).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(answer: Answer): [name: string, value: string][] {
  const { startedAt, firstAt, endedAt, usage } = answer
  const speed = speedOf(answer)
  const facts: [string, string | false][] = [
    ['Time to first token', firstAt !== null && formatSeconds(firstAt - startedAt)],
    ['Speed', speed !== null && `${formatSpeed(speed)} tokens/s`],
    ['Total', endedAt !== null && formatSeconds(endedAt - startedAt)],
    ['Tokens', usage !== null && tokensOf(usage)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== false)
}

function tokensOf({ prompt_tokens: prompt, completion_tokens: completion, ...details }: NonNullable<Answer['usage']>) {
  const cached = details.prompt_tokens_details?.cached_tokens
  const reasoning = details.completion_tokens_details?.reasoning_tokens
  const ofPrompt = cached ? ` (${formatCount(cached)} cached)` : ''
  const ofCompletion = reasoning ? ` (${formatCount(reasoning)} reasoning)` : ''
  return `${formatCount(prompt)} in${ofPrompt}, ${formatCount(completion)} out${ofCompletion}`
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
