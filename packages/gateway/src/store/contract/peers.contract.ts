import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PeerRow, PeerSnapshot } from '../peers.ts'
import { store } from '../../testing/store-world.ts'

const fresh = { version: '1', acknowledged: 0, turn: 0, peers: [], bus: null, hears: [], isIsolated: false }

describe('peers', () => {
  beforeEach(removeAll)

  it('every change of the peers makes a new generation', async () => {
    const ada = await join('ada')
    const bo = await join('bo')
    const third = await store.removePeers([{ number: ada.number, turn: 0 }])
    const fourth = await store.leavePeers(bo.number)
    expect([bo.generation, third, fourth]).toEqual([ada.generation + 1, ada.generation + 2, ada.generation + 3])
    expect(bo.number).toBeGreaterThan(ada.number)
    expect(await renew(ada.number, 1)).toBeUndefined()
  })

  it('a renewal shows all peers of the generation, and others see it', async () => {
    const ada = await join('ada')
    const bo = await join('bo')
    const renewal = {
      number: bo.number,
      turn: 1,
      acknowledged: bo.generation,
      peers: [ada.number],
      bus: { id: 'server', name: 'nats' },
      hears: [bo.number],
    }
    await store.renewPeer(renewal)
    const seen = await renew(ada.number, 1)
    expect(seen?.generation).toBe(bo.generation)
    expect(seen?.rows).toEqual([
      { number: ada.number, id: ada.id, ...fresh },
      { ...fresh, ...renewal, id: bo.id },
    ] satisfies PeerRow[])
  })

  it('a late renewal changes nothing', async () => {
    const ada = await join('ada')
    await renew(ada.number, 7)
    expect(await renew(ada.number, 3)).toBeUndefined()
    expect(await turnOf(ada.number)).toBe(7)
  })

  it('only a peer that has not been renewed in the meantime is removed', async () => {
    const ada = await join('ada')
    await renew(ada.number, 5)
    expect(await store.removePeers([{ number: ada.number, turn: 4 }])).toBe(ada.generation)
    expect(await turnOf(ada.number)).toBe(5)
  })

  it('a peer that renews while it is being removed is either still there or knows that it is not', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await join('ada')
      const [renewed] = await Promise.all([renew(ada.number, 1), store.removePeers([{ number: ada.number, turn: 0 }])])
      expect(await turnOf(ada.number)).toBe(renewed && 1)
    }
  })

  it('peers of another version keep a gateway out', async () => {
    const ada = await join('ada')
    const refused = await store.joinPeers({ id: 'next', version: '2' })
    expect([refused.number, refused.snapshot.generation]).toEqual([undefined, ada.generation])
    expect(refused.snapshot.rows.map(({ id }) => id)).toEqual([ada.id])
    await store.leavePeers(ada.number)
    const { number } = await store.joinPeers({ id: 'next', version: '2' })
    expect(number).toBeGreaterThan(ada.number)
    await store.leavePeers(number!)
  })

  it('nobody counts on a peer that has left', async () => {
    const [ada, bo, cy] = [await join('ada'), await join('bo'), await join('cy')]
    await renew(ada.number, 1, [bo.number])
    await renew(cy.number, 1, [ada.number])
    await store.leavePeers(bo.number)
    const { snapshot } = await store.joinPeers({ id: 'di', version: '1' })
    expect(snapshot.rows.map(({ peers }) => peers)).toEqual([[], [ada.number], []])
  })

  it('sets peers aside and takes them back in a new generation each time', async () => {
    const [ada, bo] = [await join('ada'), await join('bo')]
    const second = await store.isolatePeers({ generation: bo.generation, numbers: [ada.number] })
    const aside = await renew(bo.number, 1)
    const third = await store.isolatePeers({ generation: second, numbers: [bo.number] })
    const back = await renew(bo.number, 2)
    expect([second, third]).toEqual([bo.generation + 1, bo.generation + 2])
    expect([aside?.generation, back?.generation]).toEqual([second, third])
    expect(aside?.rows.map(({ isIsolated }) => isIsolated)).toEqual([true, false])
    expect(back?.rows.map(({ isIsolated }) => isIsolated)).toEqual([false, true])
  })

  it('sets nobody aside by what was true in an older generation', async () => {
    const [ada, bo] = [await join('ada'), await join('bo')]
    const decisions = await Promise.all(
      [ada, bo].map(({ number }) => store.isolatePeers({ generation: bo.generation, numbers: [number] })),
    )
    expect(decisions).toEqual([bo.generation + 1, bo.generation + 1])
    expect(await store.isolatePeers({ generation: bo.generation, numbers: [] })).toBe(bo.generation + 1)
    const seen = await renew(bo.number, 1)
    expect(seen?.rows.filter(({ isIsolated }) => isIsolated)).toHaveLength(1)
  })

  it('link epochs only grow, whoever takes them', async () => {
    const first = await store.takeLinkEpochs(2)
    const second = await store.takeLinkEpochs(3)
    const all = [...first, ...second]
    expect(all).toHaveLength(5)
    expect(all).toEqual([...new Set(all)].toSorted((one, other) => one - other))
  })

  async function removeAll(): Promise<void> {
    const { snapshot } = await store.joinPeers({ id: 'sweeper', version: '1' })
    for (const { number } of snapshot.rows) await store.leavePeers(number)
  }

  async function join(name: string): Promise<{ id: string; number: number; generation: number }> {
    const id = `${name}-${randomUUID()}`
    const { number, snapshot } = await store.joinPeers({ id, version: '1' })
    return { id, number: number!, generation: snapshot.generation }
  }

  function renew(number: number, turn: number, peers: number[] = []): Promise<PeerSnapshot | undefined> {
    return store.renewPeer({ number, turn, acknowledged: 0, peers, bus: null, hears: [] })
  }

  async function turnOf(number: number): Promise<number | undefined> {
    const { number: reader, snapshot } = await store.joinPeers({ id: 'reader', version: '1' })
    await store.leavePeers(reader!)
    return snapshot.rows.find((row) => row.number === number)?.turn
  }
})
