import { describe, expect, it } from 'vitest'
import { fixedPeers } from './fixed-peers.ts'

describe('fixedPeers', () => {
  it('gives every organization one scheduler, on whom all agree', () => {
    const service = fixedPeers(['ada', 'bo', 'cy'])
    const all = ['ada', 'bo', 'cy'].map((id) => service.of(id))
    for (const organization of ['acme', 'globex', 'initech']) {
      const schedulers = all.filter((peers) => peers.maySchedule(organization)).map(({ self }) => self)
      expect(schedulers).toEqual([service.of('ada').schedulerOf(organization)])
    }
  })

  it('tells everyone when a peer leaves', async () => {
    const service = fixedPeers(['ada', 'bo'])
    const seen: string[][] = []
    const ada = service.of('ada')
    ada.onChange(() => seen.push(ada.view.all.map(({ id }) => id)))
    await service.of('bo').leave()
    expect(seen).toEqual([['ada']])
    expect([ada.view.generation, ada.maySchedule('acme')]).toEqual([2, true])
  })
})
