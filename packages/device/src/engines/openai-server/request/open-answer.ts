// Sends a request and returns the answer as chunks, whether the server streams it or sends it whole despite being asked to stream. Anything
// that isn't a chat answer becomes an EngineError.

import type { ChatJob } from '@hearth/protocol'
import { asFields, count } from '@hearth/sealing/fields'
import { EngineError } from '../../engine.ts'
import { readChunk, type Chunk } from '../http/chunk.ts'
import { call, parseJson, readText, type Answer } from '../http/http-call.ts'
import type { RequestBody } from './request-body.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { readFailure, type ServerFailure } from '../http/server-error.ts'
import { readEvents } from '../http/sse.ts'

export interface OpenAnswer {
  /** Yields 'done' when the server ends the answer. */
  chunks: AsyncIterable<Chunk | 'done'>
  /** Resolves when the connection is closed. */
  close(): Promise<void>
}

/** The context needed to interpret an error from the server. */
export interface SentJob {
  job: ChatJob
  contextLength: number
}

export type Failing = (failure: ServerFailure) => void

const MAX_ERROR_BYTES = 256 * 1024
const MAX_WHOLE_BYTES = 16 * 1024 * 1024

/** Calls `onFailure` with every failure before throwing it. */
export async function openAnswer(
  address: ServerAddress,
  body: RequestBody,
  { job, contextLength }: SentJob,
  signal: AbortSignal,
  onFailure: Failing,
): Promise<OpenAnswer> {
  const answer = await call(address, '/v1/chat/completions', body, signal)
  if (answer.status !== 200) {
    const said = await readText(answer.body, MAX_ERROR_BYTES)
    throw fail(readFailure(answer.status, parseJson(said) ?? said, job, contextLength), onFailure)
  }
  return { chunks: checked(readChunks(answer), { job, contextLength }, onFailure), close: () => answer.close() }
}

async function* checked(
  chunks: AsyncIterable<Chunk | 'done'>,
  { job, contextLength }: SentJob,
  onFailure: Failing,
): AsyncGenerator<Chunk | 'done'> {
  for await (const chunk of chunks) {
    if (chunk !== 'done' && chunk.error !== undefined) {
      const status = count(asFields(chunk.error), 'code') ?? 500
      throw fail(readFailure(status, { error: chunk.error }, job, contextLength), onFailure)
    }
    yield chunk
  }
}

async function* readChunks(answer: Answer): AsyncGenerator<Chunk | 'done'> {
  if (answer.contentType.includes('json')) {
    yield readChunk(parseOrFail(await readText(answer.body, MAX_WHOLE_BYTES)))
    yield 'done'
    return
  }
  if (!answer.contentType.includes('event-stream'))
    throw new EngineError('failed', "The local server's response is not a chat completion", {
      retryable: true,
    })
  for await (const data of readEvents(answer.body)) {
    if (data.trim() === '[DONE]') {
      yield 'done'
      return
    }
    yield readChunk(parseOrFail(data))
  }
}

function parseOrFail(text: string): unknown {
  const value = parseJson(text)
  if (value === undefined || value === null)
    throw new EngineError('failed', 'The local server sent invalid JSON', { retryable: true })
  return value
}

function fail(failure: ServerFailure, onFailure: Failing): EngineError {
  onFailure(failure)
  return failure.error
}
