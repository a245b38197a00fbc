// Reads the data of server-sent events as local servers write them: any line ending, comments, unneeded fields.

import { EngineError } from '../../engine.ts'

/** The longest legitimate lines contain a whole tool call or the alternatives of many tokens. */
const MAX_LINE_BYTES = 4 * 1024 * 1024

const LINE_FEED = 0x0a

export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
  }
  // Some servers leave out the blank line after the last event.
  if (data.length > 0) yield data.join('\n')
}

async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield toLine([...parts, chunk.subarray(start, end)])
      start = end + 1
      parts = []
      bytes = 0
    }
    const rest = chunk.subarray(start)
    bytes += rest.length
    if (bytes > MAX_LINE_BYTES)
      throw new EngineError('failed', 'The local server sent a line that is too long', { retryable: true })
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield toLine(parts)
}

function toLine(parts: Buffer[]): string {
  const [first] = parts
  const line = (parts.length === 1 && first ? first : Buffer.concat(parts)).toString()
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
