export interface ReplyChunk {
  choices: { delta?: { content?: string | null } }[]
  usage?: { completion_tokens: number } | null
}

/** Of a streamed reply, as they arrive. */
export async function* replyChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<ReplyChunk> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as ReplyChunk
  }
}
