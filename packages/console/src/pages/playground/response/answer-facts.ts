import { speedOf, type Answer } from '../request/answer.ts'
import { formatCount, formatSpeed } from '../../../lib/format.ts'

/** Timing and token usage of a response. */
export function factsOf(answer: Answer): [name: string, value: string | undefined][] {
  const { startedAt, firstAt, endedAt, usage } = answer
  const speed = speedOf(answer)
  return [
    ['Time to first token', firstAt === null ? undefined : formatDuration(firstAt - startedAt)],
    ['Speed', speed === null ? undefined : `${formatSpeed(speed)} tokens/s`],
    ['Total', endedAt === null ? undefined : formatDuration(endedAt - startedAt)],
    ['Tokens', usage === null ? undefined : tokensOf(usage)],
  ]
}

function tokensOf({ prompt_tokens: prompt, completion_tokens: completion, ...details }: NonNullable<Answer['usage']>) {
  const cached = details.prompt_tokens_details?.cached_tokens
  const reasoning = details.completion_tokens_details?.reasoning_tokens
  const ofPrompt = cached ? ` (${formatCount(cached)} cached)` : ''
  const ofCompletion = reasoning ? ` (${formatCount(reasoning)} reasoning)` : ''
  return `${formatCount(prompt)} in${ofPrompt}, ${formatCount(completion)} out${ofCompletion}`
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
