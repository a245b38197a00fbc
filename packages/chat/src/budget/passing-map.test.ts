import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PassingMap } from './passing-map.ts'

const action = fc.record({ kind: fc.constantFrom('set', 'delete'), key: fc.nat({ max: 60 }), value: fc.nat() })

describe('a map of entries that come and go', () => {
  it('holds what a Map would, in the same order', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
        const map = new PassingMap<number>()
        const expected = new Map<string, number>()
        for (const { kind, key: number, value } of actions) {
          const key = `req_${number}`
          if (kind === 'set') {
            map.set(key, value)
            expected.set(key, value)
          } else expect(map.delete(key)).toBe(expected.delete(key))
          expect([map.size, map.has(key), map.get(key)]).toEqual([expected.size, expected.has(key), expected.get(key)])
        }
        expect(map.entries()).toEqual([...expected])
        expect(map.values()).toEqual([...expected.values()])
      }),
    )
  })

  it('may change while its values are looked at', () => {
    const map = new PassingMap<number>()
    for (let number = 0; number < 40; number++) map.set(`req_${number}`, number)
    const seen: number[] = []
    for (const number of map.values()) {
      map.delete(`req_${number}`)
      seen.push(number)
    }
    expect([seen.length, map.size, map.values()]).toEqual([40, 0, []])
  })
})
