import { afterEach, describe, expect, it } from 'vitest'
import { prepareChat } from '@hearth/chat'
import { LargeRequests } from './large-requests.ts'

const LIMITS = { maxMessages: 10, maxTools: 10 }
const opened: LargeRequests[] = []
afterEach(() => Promise.all(opened.splice(0).map((requests) => requests.close())))

function open(): LargeRequests {
  const requests = new LargeRequests({ limits: LIMITS, maxBodyBytes: 20 * 1024 * 1024 })
  opened.push(requests)
  return requests
}

function body(content: string, more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }))
}

describe('large requests', () => {
  it.each(['x'.repeat(1_000_000), '中'.repeat(300_000), 'short'])(
    'come out as they would on the main thread: %.10s…',
    async (content) => {
      const sent = body(content, { stream: true, n: 2, seed: 1 })
      const expected = prepareChat(Buffer.from(sent), LIMITS)
      expect(await open().prepare('acme', sent, () => true)).toEqual(expected)
    },
  )

  it('get the same errors as on the main thread', async () => {
    await expect(open().prepare('acme', body('x', { n: 99 }), () => true)).rejects.toMatchObject({
      code: 'integer_above_max_value',
      param: 'n',
      status: 400,
    })
  })

  it('are prepared in turn, one per organization', async () => {
    const requests = open()
    const order: string[] = []
    const prepare = async (organization: string, name: string) => {
      await requests.prepare(organization, body(name), () => true)
      order.push(name)
    }
    await Promise.all([
      prepare('a', 'a1'),
      prepare('a', 'a2'),
      prepare('a', 'a3'),
      prepare('b', 'b1'),
      prepare('b', 'b2'),
    ])
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  })

  it('are dropped if their client leaves while they wait', async () => {
    const requests = open()
    const first = requests.prepare('a', body('first'), () => true)
    const second = requests.prepare('a', body('second'), () => false)
    expect(await first).toBeDefined()
    expect(await second).toBeUndefined()
  })

  it('survive the end of their thread', async () => {
    const requests = open()
    const lost = requests.prepare('a', body('x'.repeat(1_000_000)), () => true)
    const next = requests.prepare('a', body('next'), () => true)
    await requests.close()
    await expect(lost).rejects.toThrow('has ended')
    expect(await next).toMatchObject({ shape: { model: 'm' } })
  })
})
