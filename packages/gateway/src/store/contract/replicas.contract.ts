import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReplicaRow, Store } from '../store.ts'
import type { StoreWorld } from './store-world.ts'

const fresh = { version: '1', acknowledged: 0, turn: 0, peers: [], hears: [], isSetAside: false }

export function describeReplicas(world: StoreWorld): void {
  describe('replicas', () => {
    let store: Store
    beforeEach(async () => {
      store = world.store
      await store.forgetReplicas()
    })

    it('[T40] every change of the members makes a new generation', async () => {
      const ada = await join('ada')
      const bo = await join('bo')
      const third = await store.removeReplicas([{ number: ada.number, turn: 0 }])
      const fourth = await store.leaveReplicas(bo.number)
      expect([bo.generation, third, fourth]).toEqual([ada.generation + 1, ada.generation + 2, ada.generation + 3])
      expect(bo.number).toBeGreaterThan(ada.number)
    })

    it('[T40a] a renewal shows all members of the generation, and others see it', async () => {
      const ada = await join('ada')
      const bo = await join('bo')
      const renewal = {
        number: bo.number,
        turn: 1,
        acknowledged: bo.generation,
        peers: [ada.number],
        hears: [bo.number],
      }
      await store.renewReplica(renewal)
      const seen = await store.renewReplica({ number: ada.number, turn: 1, acknowledged: 0, peers: [], hears: [] })
      expect(seen?.generation).toBe(bo.generation)
      expect(seen?.rows).toEqual([
        { number: ada.number, id: ada.id, ...fresh },
        { ...fresh, ...renewal, id: bo.id },
      ] satisfies ReplicaRow[])
    })

    it('[T40h] all members can be forgotten at once, and learn it', async () => {
      const [ada, bo] = [await join('ada'), await join('bo')]
      await store.forgetReplicas()
      expect([await renew(ada.number, 1), await renew(bo.number, 1)]).toEqual([false, false])
      expect((await join('cy')).generation).toBe(bo.generation + 2)
    })

    it('[T40b] a renewal of a removed member fails', async () => {
      const ada = await join('ada')
      const generation = await store.removeReplicas([{ number: ada.number, turn: 0 }])
      expect(await renew(ada.number, 1)).toBe(false)
      expect(generation).toBe(ada.generation + 1)
    })

    it('[T40c] a late renewal changes nothing', async () => {
      const ada = await join('ada')
      await renew(ada.number, 7)
      expect(await renew(ada.number, 3)).toBe(false)
      expect(await turnOf(ada.number)).toBe(7)
    })

    it('[T40d] only a member that has not been renewed in the meantime is removed', async () => {
      const ada = await join('ada')
      await renew(ada.number, 5)
      expect(await store.removeReplicas([{ number: ada.number, turn: 4 }])).toBe(ada.generation)
      expect(await turnOf(ada.number)).toBe(5)
    })

    it('[T40d] a member that renews while it is being removed is either still there or knows that it is not', async () => {
      for (let round = 0; round < 5; round++) {
        const ada = await join('ada')
        const [isRenewed] = await Promise.all([
          renew(ada.number, 1),
          store.removeReplicas([{ number: ada.number, turn: 0 }]),
        ])
        expect(await turnOf(ada.number)).toBe(isRenewed ? 1 : undefined)
      }
    })

    it('[T40e] members of another version keep a gateway out', async () => {
      const ada = await join('ada')
      const refused = await store.joinReplicas({ id: 'next', version: '2' })
      expect([refused.number, refused.snapshot.generation]).toEqual([undefined, ada.generation])
      expect(refused.snapshot.rows.map(({ id }) => id)).toEqual([ada.id])
      await store.leaveReplicas(ada.number)
      const { number } = await store.joinReplicas({ id: 'next', version: '2' })
      expect(number).toBeGreaterThan(ada.number)
      await store.leaveReplicas(number!)
    })

    it('[T40f] nobody counts on a peer that has left', async () => {
      const [ada, bo, cy] = [await join('ada'), await join('bo'), await join('cy')]
      await store.renewReplica({ number: ada.number, turn: 1, acknowledged: 0, peers: [bo.number], hears: [] })
      await store.renewReplica({ number: cy.number, turn: 1, acknowledged: 0, peers: [ada.number], hears: [] })
      await store.leaveReplicas(bo.number)
      const { snapshot } = await store.joinReplicas({ id: 'di', version: '1' })
      expect(snapshot.rows.map(({ peers }) => peers)).toEqual([[], [ada.number], []])
    })

    it('[T40i] sets members aside and takes them back in a new generation each time', async () => {
      const [ada, bo] = [await join('ada'), await join('bo')]
      const second = await store.setAsideReplicas({ generation: bo.generation, numbers: [ada.number] })
      const aside = await store.renewReplica({ number: bo.number, turn: 1, acknowledged: 0, peers: [], hears: [] })
      const third = await store.setAsideReplicas({ generation: second, numbers: [bo.number] })
      const back = await store.renewReplica({ number: bo.number, turn: 2, acknowledged: 0, peers: [], hears: [] })
      expect([second, third]).toEqual([bo.generation + 1, bo.generation + 2])
      expect([aside?.generation, back?.generation]).toEqual([second, third])
      expect(aside?.rows.map(({ isSetAside }) => isSetAside)).toEqual([true, false])
      expect(back?.rows.map(({ isSetAside }) => isSetAside)).toEqual([false, true])
    })

    it('[T40j] sets nobody aside by what was true in an older generation', async () => {
      const [ada, bo] = [await join('ada'), await join('bo')]
      const decisions = await Promise.all(
        [ada, bo].map(({ number }) => store.setAsideReplicas({ generation: bo.generation, numbers: [number] })),
      )
      expect(decisions).toEqual([bo.generation + 1, bo.generation + 1])
      expect(await store.setAsideReplicas({ generation: bo.generation, numbers: [] })).toBe(bo.generation + 1)
      const seen = await store.renewReplica({ number: bo.number, turn: 1, acknowledged: 0, peers: [], hears: [] })
      expect(seen?.rows.filter(({ isSetAside }) => isSetAside)).toHaveLength(1)
    })

    it('[T40g] link epochs only grow, whoever takes them', async () => {
      const first = await store.takeLinkEpochs(2)
      const second = await store.takeLinkEpochs(3)
      const all = [...first, ...second]
      expect(all).toHaveLength(5)
      expect(all).toEqual([...new Set(all)].toSorted((one, other) => one - other))
    })

    async function join(name: string): Promise<{ id: string; number: number; generation: number }> {
      const id = `${name}-${randomUUID()}`
      const { number, snapshot } = await store.joinReplicas({ id, version: '1' })
      return { id, number: number!, generation: snapshot.generation }
    }

    async function renew(number: number, turn: number): Promise<boolean> {
      return (await store.renewReplica({ number, turn, acknowledged: 0, peers: [], hears: [] })) !== undefined
    }

    async function turnOf(number: number): Promise<number | undefined> {
      const { number: reader, snapshot } = await store.joinReplicas({ id: 'reader', version: '1' })
      await store.leaveReplicas(reader!)
      return snapshot.rows.find((row) => row.number === number)?.turn
    }
  })
}
