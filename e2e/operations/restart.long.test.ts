// A part of the operator's week that users must not notice. `npm run operations` has all of it.

import { expect, it } from 'vitest'
import { restart } from './steps/restart.ts'
import { Week } from './week.ts'

it('restarts a lone gateway without a failed request, and a long stream goes on', async () => {
  await using week = await Week.begin()
  const figures = await restart(week)
  expect(figures.filter(({ result, isTime }) => result !== 'met' && !isTime)).toEqual([])
})
