import { describe, expect, it } from 'vitest'
import { fixedMembers } from './fixed-members.ts'

describe('fixedMembers', () => {
  it('gives every organization one owner, on whom all agree', () => {
    const service = fixedMembers(['ada', 'bo', 'cy'])
    const all = ['ada', 'bo', 'cy'].map((id) => service.of(id))
    for (const organization of ['acme', 'globex', 'initech']) {
      const owners = all.filter((membership) => membership.mayOwn(organization)).map(({ self }) => self)
      expect(owners).toEqual([service.of('ada').ownerOf(organization)])
    }
  })

  it('tells everyone when a member leaves', async () => {
    const service = fixedMembers(['ada', 'bo'])
    const seen: string[][] = []
    const ada = service.of('ada')
    ada.onChange(() => seen.push(ada.members.map(({ id }) => id)))
    await service.of('bo').leave()
    expect(seen).toEqual([['ada']])
    expect([ada.generation, ada.mayOwn('acme')]).toEqual([2, true])
  })
})
