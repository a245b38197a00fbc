// Server-sent events as the interface allows them: lines are `data: …` or blank. Anything else throws.

import type { ChunkBody, ErrorBody } from './reply-shapes.ts'

export type StreamEvent =
  | { kind: 'chunk'; chunk: ChunkBody }
  | { kind: 'error'; error: ErrorBody['error']; text: string }
  | { kind: 'done' }

/** Yields each event as soon as its blank line arrives. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  let text = ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) yield parseEvent(event)
  }
  if (text !== '') throw new Error(`The stream ends inside an event: ${text.slice(0, 200)}`)
}

function parseEvent(event: string): StreamEvent {
  if (!event.startsWith('data: ') || event.includes('\n'))
    throw new Error(`Not a plain data event: ${event.slice(0, 200)}`)
  const text = event.slice('data: '.length)
  if (text === '[DONE]') return { kind: 'done' }
  const value = JSON.parse(text) as ChunkBody & Partial<ErrorBody>
  return value.error === undefined ? { kind: 'chunk', chunk: value } : { kind: 'error', error: value.error, text }
}

/** A stream after it was read to its end. */
export interface WholeStream {
  events: StreamEvent[]
  chunks: ChunkBody[]
  /** The joined content of each choice. */
  texts: string[]
  finishes: (string | undefined)[]
  error: ErrorBody['error'] | undefined
  done: boolean
}

export async function readWholeStream(events: AsyncIterable<StreamEvent>): Promise<WholeStream> {
  const seen: StreamEvent[] = []
  for await (const event of events) seen.push(event)
  return summarize(seen)
}

export function summarize(events: StreamEvent[]): WholeStream {
  const chunks = events.flatMap((event) => (event.kind === 'chunk' ? [event.chunk] : []))
  const texts: string[] = []
  const finishes: (string | undefined)[] = []
  for (const { index, delta, finish_reason } of chunks.flatMap((chunk) => chunk.choices)) {
    texts[index] = (texts[index] ?? '') + (delta.content ?? '')
    finishes[index] = finish_reason ?? finishes[index]
  }
  const error = events.find((event) => event.kind === 'error')?.error
  return { events, chunks, texts, finishes, error, done: events.at(-1)?.kind === 'done' }
}
