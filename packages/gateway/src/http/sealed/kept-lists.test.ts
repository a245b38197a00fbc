import { describe, expect, it, vi } from 'vitest'
import { ByteBudget } from '@hearth/chat'
import type { ListNumbers, Sealing } from '../../store/sealing.ts'
import { KEPT_BYTES, KeptLists } from './kept-lists.ts'

function open(text = 'list') {
  const state = { number: 1 }
  const list = () => ({ number: state.number, text, key: 'k', signature: 's', putAt: new Date(0) })
  const readListNumbers = vi.fn<(id: string) => Promise<ListNumbers>>(async () => ({
    mode: 'optional',
    seal: 'hs-a',
    administrators: 0,
    devices: state.number,
  }))
  const readSealing = vi.fn<(id: string) => Promise<Sealing>>(async () => ({
    mode: 'optional',
    seal: 'hs-a',
    devices: list(),
  }))
  const lists = new KeptLists({
    store: { readListNumbers, readSealing },
    book: { isStoreSilent: false },
    budget: new ByteBudget(4 * KEPT_BYTES),
  })
  return { lists, state, readListNumbers, readSealing }
}

describe('the lists of an organization', () => {
  it('are as they were signed, without when they came', async () => {
    const devices = { text: 'list', key: 'k', signature: 's' }
    const { json } = await open().lists.describe('acme')
    const organization = 'acme'
    expect(JSON.parse(`${json.bytes}}`)).toEqual({ organization, mode: 'optional', seal: 'hs-a', devices })
  })

  it('are read again when there is a newer one, and only then', async () => {
    const { lists, state, readSealing } = open()
    const { json } = await lists.describe('acme')
    expect((await lists.describe('acme')).json).toBe(json)
    expect(readSealing).toHaveBeenCalledTimes(1)
    state.number = 2
    await lists.describe('acme')
    expect(readSealing).toHaveBeenCalledTimes(2)
  })

  it('cost the store a few questions, and are written a few times, however many ask at once', async () => {
    const { lists, readListNumbers, readSealing } = open()
    const described = await Promise.all(Array.from({ length: 100 }, () => lists.describe('acme')))
    expect(readListNumbers).toHaveBeenCalledTimes(2)
    expect(readSealing.mock.calls.length).toBeLessThan(4)
    expect(new Set(described.map(({ json }) => json)).size).toBeLessThan(4)
  })

  it('keeps a bounded amount of them', async () => {
    const { lists, readSealing } = open('x'.repeat(KEPT_BYTES / 2))
    for (const organization of ['a', 'b', 'b']) await lists.describe(organization)
    expect(readSealing).toHaveBeenCalledTimes(2)
    await lists.describe('a')
    expect(readSealing).toHaveBeenCalledTimes(3)
  })
})
