// One request to the server, for one or more choices of a job: chunks in, events out, and at the end the finish reasons and the usage.

import type { ChatEvent, ChatJob, FinishReason, Usage } from '@hearth/protocol'
import { EngineError, type EngineProgress } from '../../engine.ts'
import { ChoiceReader } from '../reply/choice-reader.ts'
import type { Chunk } from '../http/chunk.ts'
import { openAnswer, type OpenAnswer } from '../request/open-answer.ts'
import { requestBody, type ServerModel } from '../request/request-body.ts'
import type { ServerAddress } from '../http/server-address.ts'
import type { ServerFailure } from '../http/server-error.ts'

export interface RequestOptions {
  address: ServerAddress
  model: ServerModel
  job: ChatJob
  /** The job's choices that this request generates. */
  choices: readonly number[]
  signal: AbortSignal
  report: (progress: EngineProgress) => void
  onFailure: (failure: ServerFailure) => void
  /** Called before and after every wait for the server, because only then does silence count. */
  onWaiting: (isWaiting: boolean) => void
}

export interface RequestResult {
  finishes: FinishReason[]
  usage: Usage | undefined
  /** True if we cut the answer off at a stop sequence. */
  isCut: boolean
  /** Chunks of the first choice. */
  pieces: number
}

export async function* runRequest(options: RequestOptions): AsyncGenerator<ChatEvent, RequestResult> {
  const { job, model, choices } = options
  const readers = choices.map(
    (choice) =>
      new ChoiceReader({
        choice,
        stop: job.stop ?? [],
        startsThinking: model.abilities.startsThinking,
        tools: job.toolChoice === 'none' ? [] : (job.tools ?? []),
        ...(job.logprobs && { topLogprobs: job.logprobs.top }),
      }),
  )
  const answer = await open(options)
  let usage: Usage | undefined
  try {
    for await (const chunk of waited(answer.chunks, options.onWaiting)) {
      if (chunk === 'done') {
        for (const reader of readers) reader.done()
        break
      }
      usage = chunk.usage ?? usage
      yield* readPieces(chunk, readers, options.report)
      if (readers.every((reader) => reader.isStopped)) break
    }
  } finally {
    await answer.close()
  }
  return yield* conclude(readers, usage)
}

async function open(options: RequestOptions): Promise<OpenAnswer> {
  const { address, job, model, choices, signal, onFailure } = options
  const attempt = { isLimitTooLarge: false }
  const note = (failure: ServerFailure): void => {
    attempt.isLimitTooLarge = failure.isLimitTooLarge
    if (!failure.isLimitTooLarge) onFailure(failure)
  }
  options.onWaiting(true)
  try {
    const asked = { job, contextLength: model.contextLength }
    return await openAnswer(address, requestBody(job, model, choices.length), asked, signal, note)
  } catch (error) {
    if (!attempt.isLimitTooLarge) throw error
    // The limit exceeds the rest of the context. Without a limit the answer may fill exactly that.
    const { maxTokens: _, ...unlimited } = job
    const asked = { job: unlimited, contextLength: model.contextLength }
    return await openAnswer(address, requestBody(unlimited, model, choices.length), asked, signal, onFailure)
  } finally {
    options.onWaiting(false)
  }
}

function* readPieces(
  chunk: Chunk,
  readers: readonly ChoiceReader[],
  report: (progress: EngineProgress) => void,
): Generator<ChatEvent> {
  if (chunk.progress !== undefined) report({ phase: 'prompt', ...chunk.progress })
  for (const piece of chunk.choices) {
    const reader = readers[piece.index]
    const event = reader?.push(piece)
    if (event !== undefined) yield event
    else if (piece.reasoning !== '' || reader?.isThinking === true) report({ phase: 'reasoning' })
  }
}

function* conclude(readers: readonly ChoiceReader[], usage: Usage | undefined): Generator<ChatEvent, RequestResult> {
  if (!readers.every((reader) => reader.isFinished))
    throw new EngineError('failed', 'The local server ended the answer early', { retryable: true })
  for (const reader of readers) yield* reader.end()
  return {
    finishes: readers.map((reader) => reader.reason),
    isCut: readers.some((reader) => reader.isStopped),
    pieces: readers[0]?.pieces ?? 0,
    usage,
  }
}

async function* waited<Item>(
  items: AsyncIterable<Item>,
  onWaiting: (isWaiting: boolean) => void,
): AsyncGenerator<Item> {
  onWaiting(true)
  try {
    for await (const item of items) {
      onWaiting(false)
      yield item
      onWaiting(true)
    }
  } finally {
    onWaiting(false)
  }
}
