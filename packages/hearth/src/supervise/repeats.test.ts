import { expect, it } from 'vitest'
import { Repeats } from './repeats.ts'

it('a warning that repeats is shown once a minute', () => {
  const repeats = new Repeats()
  const said = [0, 59_999, 60_000, 60_001].filter((now) => repeats.isNew('store', now))
  expect(said).toStrictEqual([0, 60_000])
})
