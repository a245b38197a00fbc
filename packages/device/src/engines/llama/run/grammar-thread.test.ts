import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { GENERAL_SYNTAX } from '../../formats/tool-syntax.ts'
import { GrammarRejected, type GrammarRequest } from './grammar-text.ts'
import { createGrammarThread } from './grammar-thread.ts'

const WORKER = new URL('./grammar-worker.ts', import.meta.url)

function answer(schema: Record<string, unknown>): string {
  const format = { type: 'json_schema', name: 'a', schema } as const
  const request: GrammarRequest = {
    part: 'answer',
    format,
    syntax: GENERAL_SYNTAX,
    tools: [],
    thinking: undefined,
    dialect: undefined,
  }
  return JSON.stringify(request)
}

/** A schema that takes a while. */
const HARD = answer({ type: 'string', format: 'iri-reference', pattern: '^(?=.*[a-z]).{8,}$' })

describe('the thread that writes grammars', () => {
  it('leaves the caller’s thread free meanwhile', async () => {
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const { text } = await createGrammarThread()(HARD)
    clearImmediate(next)
    expect(text).toContain('root ::=')
    expect(turns).toBeGreaterThan(2)
  })

  it('answers in order, and says why a schema is refused', async () => {
    const write = createGrammarThread()
    const [first, second, third] = await Promise.allSettled([
      write(answer({ const: 'one' })),
      write(answer({ $ref: 'https://example.com/other' })),
      write(answer({ const: 'three' })),
    ])
    expect(first).toMatchObject({ value: { text: expect.stringContaining('one') } })
    expect(second).toMatchObject({ reason: { isTooLarge: false, message: expect.stringContaining('$ref') } })
    expect(second.status === 'rejected' && second.reason).toBeInstanceOf(GrammarRejected)
    expect(third).toMatchObject({ value: { text: expect.stringContaining('three') } })
  })

  it('fails what waits if it ends, and starts again', async () => {
    let starts = 0
    const write = createGrammarThread(
      () => new Worker(starts++ === 0 ? 'process.exit(1)' : WORKER, { eval: starts === 1 }),
    )
    const lost = [write(HARD), write(answer({ const: 1 }))]
    for (const writing of lost) await expect(writing).rejects.toThrow('has ended')
    expect((await write(answer({ const: 1 }))).text).toContain('root ::=')
    expect(starts).toBe(2)
  })

  it('counts no time until the thread has loaded', async () => {
    const late = `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', () => parentPort.postMessage({ text: 'one' }))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)`
    const write = createGrammarThread(() => new Worker(late, { eval: true }), 1)
    expect(await write(answer({ const: 'one' }))).toEqual({ text: 'one' })
  })

  it('gives up a grammar that takes too long, and writes those that wait behind it', async () => {
    const on = (react: string) =>
      `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => ${react}); parentPort.postMessage('ready')`
    const stuck = on('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
    const quick = on("parentPort.postMessage({ text: 'two' })")
    let starts = 0
    const write = createGrammarThread(() => new Worker(starts++ === 0 ? stuck : quick, { eval: true }), 3_000)
    const endless = write(HARD)
    const waiting = write(answer({ const: 'two' }))
    await expect(endless).rejects.toMatchObject({ isTooLarge: true, message: 'its grammar takes too long to write' })
    expect(await waiting).toEqual({ text: 'two' })
    expect(starts).toBe(2)
  })
})
