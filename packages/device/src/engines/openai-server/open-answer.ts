// Sends a request and gives back the answer as chunks, whichever way the server chose to send it: as a stream, or whole although a stream was
// asked for. Everything that is no chat answer becomes an EngineError.

import type { ChatJob } from '@hearth/protocol'
import { EngineError } from '../engine.ts'
import { asCount, asFields, readChunk, type Chunk } from './chunk.ts'
import { call, parseJson, readText, type Answer } from './http-call.ts'
import type { RequestBody } from './request-body.ts'
import type { ServerAddress } from './server-address.ts'
import { readFailure, type ServerFailure } from './server-error.ts'
import { readEvents } from './sse.ts'

export interface OpenAnswer {
  /** 'done' when the server said that the answer is over. */
  chunks: AsyncIterable<Chunk | 'done'>
  /** The connection is closed when it resolves. */
  close(): Promise<void>
}

/** What an error of the server is understood by. */
export interface Asked {
  job: ChatJob
  contextLength: number
}

export type Failing = (failure: ServerFailure) => void

const MAX_ERROR_BYTES = 256 * 1024
const MAX_WHOLE_BYTES = 16 * 1024 * 1024

/** `onFailure` hears of every refusal before it is thrown. */
export async function openAnswer(
  address: ServerAddress,
  body: RequestBody,
  { job, contextLength }: Asked,
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
  { job, contextLength }: Asked,
  onFailure: Failing,
): AsyncGenerator<Chunk | 'done'> {
  for await (const chunk of chunks) {
    if (chunk !== 'done' && chunk.error !== undefined) {
      const status = asCount(asFields(chunk.error)['code']) ?? 500
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
    throw new EngineError('failed', 'The local server answered with something that is no chat answer', {
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
    throw new EngineError('failed', 'The local server answered with broken JSON', { retryable: true })
  return value
}

function fail(failure: ServerFailure, onFailure: Failing): EngineError {
  onFailure(failure)
  return failure.error
}
