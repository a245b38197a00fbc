import { describe, expect, it } from 'vitest'
import { OpenStreams } from './open-streams.ts'

function viewer(person: string) {
  return { person, organization: 'acme', address: '192.0.2.1' }
}

describe('event streams', () => {
  it('that end twice make room for one', () => {
    const streams = new OpenStreams()
    const [first = () => {}] = Array.from({ length: 32 }, () => streams.enter(viewer('ann')))
    first()
    first()
    streams.enter(viewer('ann'))
    expect(() => streams.enter(viewer('ann'))).toThrow(/You have 32 event streams open/)
  })

  it.each([
    ['per person', 32, 'You have', () => ({ person: 'ann' })],
    ['per organization', 1_000, 'Your organization has', (index: number) => ({ address: `10.0.${index}.1` })],
    ['per network', 500, 'Your network has', (index: number) => ({ organization: `o${index}` })],
    [
      'in all',
      10_000,
      'This gateway has',
      (index: number) => ({ organization: `o${index}`, address: `10.${index % 250}.${index}.1` }),
    ],
  ])('are limited %s to %i, and a rejected one takes no place', (_, most, whose, other: (index: number) => object) => {
    const streams = new OpenStreams()
    const enter = (index: number) => streams.enter({ ...viewer(`p${index}`), ...other(index) })
    const leave = Array.from({ length: most }, (_none, index) => enter(index))
    for (let again = 0; again < 40; again++) expect(() => enter(most)).toThrow(`${whose} ${most} event streams open`)
    leave[0]?.()
    expect(enter(most)).toBeTypeOf('function')
  })
})
