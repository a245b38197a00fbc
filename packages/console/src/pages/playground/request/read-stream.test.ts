import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../api/client.ts'
import { readStream, type Chunk } from './read-stream.ts'

const DONE = 'data: [DONE]\n\n'

function event(content: string): string {
  const choice = { index: 0, delta: { content }, logprobs: null, finish_reason: null }
  return `data: ${JSON.stringify({ choices: [choice] })}\n\n`
}

/** Streams the bytes of the text in pieces of these sizes, over and over. */
function cut(text: string, ...sizes: number[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text)
  let from = 0
  let turn = 0
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close()
      const size = sizes[turn++ % sizes.length]!
      controller.enqueue(bytes.slice(from, from + size))
      from += size
    },
  })
}

async function collect(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const chunks: Chunk[] = []
  try {
    for await (const chunk of readStream(body)) chunks.push(chunk)
  } catch (failure) {
    return { text: textOf(chunks), failure: failure as ApiFailure }
  }
  return { text: textOf(chunks), failure: undefined }
}

function textOf(chunks: Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
}

describe('readStream', () => {
  const text = 'Grüße 👩‍🚀 an die Welt\r\ndata: no event, only text'
  const stream = event(text.slice(0, 9)) + event(text.slice(9)) + DONE

  it('reads the same text wherever the network splits the stream', async () => {
    for (const sizes of [[1], [2, 3], [7], [64, 1], [100_000]])
      expect(await collect(cut(stream, ...sizes)), `cut by ${sizes.join()}`).toEqual({ text, failure: undefined })
  })

  it('accepts all three kinds of line endings', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const raw = (event('one') + event('two') + DONE).replaceAll('\n', end) + 'after'
      for (const size of [1, 3, 1000])
        expect((await collect(cut(raw, size))).text, `${JSON.stringify(end)} cut by ${size}`).toBe('onetwo')
    }
  })

  it('skips comments and unknown fields', async () => {
    const raw = `: still there\n\nevent: chunk\nid: 7\nretry: 10\n${event('one')}:\n\n${DONE}`
    expect(await collect(cut(raw, 5))).toEqual({ text: 'one', failure: undefined })
  })

  it('joins the lines of one event', async () => {
    const raw = `data: {"choices":\ndata:[]}\n\n${DONE}`
    expect(await collect(cut(raw, 4))).toEqual({ text: '', failure: undefined })
  })

  it('throws an error in the stream after the text before it', async () => {
    const error = { message: 'The device failed', type: 'server_error', param: null, code: 'server_error' }
    const { text, failure } = await collect(cut(`${event('half ')}data: ${JSON.stringify({ error })}\n\n`, 11))
    expect(text).toBe('half ')
    expect(failure).toMatchObject({ message: 'The device failed', code: 'server_error', param: null })
  })

  it('throws if the stream ends without [DONE]', async () => {
    const { text, failure } = await collect(cut(event('half ') + 'data: {"choi', 16))
    expect(text).toBe('half ')
    expect(failure).toMatchObject({ code: 'stream_cut' })
  })

  it('reads nothing after [DONE]', async () => {
    expect((await collect(cut(event('all') + DONE + event(' more'), 1000))).text).toBe('all')
  })

  it('cancels the stream when the loop ends early', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(event('one') + event('two'))),
      cancel: () => void (isCancelled = true),
    })
    for await (const chunk of readStream(body)) {
      expect(chunk.choices).toHaveLength(1)
      break
    }
    expect(isCancelled).toBe(true)
  })
})
