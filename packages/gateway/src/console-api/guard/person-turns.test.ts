import { describe, expect, it } from 'vitest'
import { PersonTurns } from './person-turns.ts'

describe('requests of one person', () => {
  it('are answered four at a time, in order, while others are not held up', async () => {
    const turns = new PersonTurns()
    const gates = Array.from({ length: 7 }, () => Promise.withResolvers<void>())
    const begun: string[] = []
    const ask = (person: string, number: number) =>
      turns.run(person, async () => {
        begun.push(`${person}${number}`)
        await gates[number]!.promise
      })
    const anns = [0, 1, 2, 3, 4, 5].map((number) => ask('ann', number))
    const bobs = ask('bob', 6)
    expect(begun).toEqual(['ann0', 'ann1', 'ann2', 'ann3', 'bob6'])
    gates[2]!.resolve()
    await anns[2]
    expect(begun.at(-1)).toBe('ann4')
    gates[0]!.reject(new Error('failed'))
    await expect(anns[0]).rejects.toThrow('failed')
    expect(begun.at(-1)).toBe('ann5')
    for (const { resolve } of gates) resolve()
    await Promise.all([...anns.slice(1), bobs])
    const again = ask('ann', 6)
    expect(begun.at(-1)).toBe('ann6')
    await again
  })

  it('wait up to a limit, also from many networks', async () => {
    const turns = new PersonTurns()
    const gate = Promise.withResolvers<void>()
    const asked = Array.from({ length: 4 + 64 }, () => turns.run('ann', () => gate.promise))
    await expect(turns.run('ann', () => gate.promise)).rejects.toMatchObject({ status: 429 })
    gate.resolve()
    await Promise.all(asked)
    await expect(turns.run('ann', () => gate.promise)).resolves.toBeUndefined()
  })
})
