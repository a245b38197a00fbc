// Collects a job's events per choice.

import type { ChatEvent } from '@hearth/protocol'
import type { Engine, EngineJob, EngineProgress } from '../engine.ts'

export type Reply = ReturnType<typeof toReply>

const ANSWER_MS = 240_000

export async function askEngine(
  engine: Engine,
  job: EngineJob,
  signal: AbortSignal = AbortSignal.timeout(ANSWER_MS),
): Promise<Reply> {
  const events: ChatEvent[] = []
  const progress: EngineProgress[] = []
  for await (const event of engine.run(job, signal, (step) => progress.push(step))) events.push(event)
  return toReply(events, progress)
}

/** `text`, `pieces`, `logprobs` and `calls` are those of the first choice. */
export function toReply(events: ChatEvent[], progress: EngineProgress[] = []) {
  const texts = events.filter((event) => event.type === 'text')
  const end = events.find((event) => event.type === 'end')
  const count = end?.finishes.length ?? 1
  const ofChoice = (index: number) => texts.filter(({ choice }) => choice === index)
  const joined = Array.from({ length: count }, (_, index) =>
    ofChoice(index)
      .map(({ text }) => text)
      .join(''),
  )
  return {
    text: joined[0] ?? '',
    texts: joined,
    pieces: ofChoice(0).map(({ text }) => text),
    logprobs: ofChoice(0).flatMap(({ logprobs = [] }) => logprobs),
    calls: events.flatMap((event) => (event.type === 'tool-calls' && event.choice === 0 ? event.calls : [])),
    finishes: end?.finishes ?? [],
    usage: end?.usage,
    events,
    progress,
  }
}
