// Reads the server-sent events of a streamed response. The network may split them anywhere, even inside a character. A response is complete
// only after [DONE]; an error in the stream, or an end without [DONE], throws.

import { ApiFailure, type Schemas } from '../../../api/client.ts'

export interface Chunk {
  choices: ChunkChoice[]
  usage?: Usage | null
}

interface ChunkChoice {
  index: number
  delta: { content?: string | null; tool_calls?: ToolCall[]; annotations?: Annotation[] }
  logprobs?: { content: TokenLogprob[] | null } | null
  finish_reason: string | null
}

export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
  completion_tokens_details?: { reasoning_tokens?: number }
}

/** `arguments` is the JSON text that the model wrote. */
export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface Annotation {
  type: string
  url_citation?: { url: string; title: string; start_index: number; end_index: number }
}

export interface TokenLogprob {
  token: string
  logprob: number
  top_logprobs: { token: string; logprob: number }[]
}

/** Leaving the loop early cancels the stream. */
export async function* readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Chunk> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const events = new EventSplitter()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      for (const data of events.push(read.value)) {
        if (data === '[DONE]') return
        yield readChunk(data)
      }
  } finally {
    // A stream that broke off can't be canceled any more. The reader of the response gets the reason.
    await reader.cancel().catch(() => {})
  }
  throw new ApiFailure(0, {
    code: 'stream_cut',
    message: 'The response was interrupted: the connection to the gateway closed early.',
    param: null,
  })
}

function readChunk(data: string): Chunk {
  const chunk = JSON.parse(data) as Chunk | Schemas['Error']
  if ('error' in chunk) throw new ApiFailure(200, chunk.error)
  return chunk
}

/** Returns the data of each event once its closing blank line arrives. */
class EventSplitter {
  #rest = ''
  #data: string[] = []

  push(text: string): string[] {
    // A carriage return at the end may be half of a line break, so it waits for the next character.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?=[^\n])/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#readLine(line))
  }

  #readLine(line: string): string[] {
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || this.#data.length === 0) return []
    const data = this.#data.join('\n')
    this.#data = []
    return [data]
  }
}
