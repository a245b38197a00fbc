import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents } from './sse.ts'

describe('readEvents', () => {
  const read = async (pieces: readonly Buffer[]): Promise<string[]> => {
    const events: string[] = []
    async function* body(): AsyncGenerator<Buffer> {
      yield* pieces
    }
    for await (const event of readEvents(body())) events.push(event)
    return events
  }

  it('reads any line ending, comments and several data lines, split anywhere', async () => {
    const text = Buffer.from('data: 1\n\n: hi\r\nevent: x\r\ndata:2\r\n\r\ndata: a\ndata: é\n\ndata: last')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const pieces = at.slice(1).map((end, index) => text.subarray(at[index], end))
        expect(await read(pieces)).toEqual(['1', '2', 'a\né', 'last'])
      }),
    )
  })
})
