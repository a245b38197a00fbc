import { expect, it } from 'vitest'
import { adviseOn, describeActivity } from './describe-activity.ts'

it.each([
  ['sign-in', 'passkey', 1, 'Signed in with a passkey'],
  ['sign-in', 'code', 1, 'Signed in with your password and a code'],
  ['sign-in', null, 1, 'Signed in'],
  ['wrong-password', null, 1, 'Wrong password'],
  ['wrong-code', null, 12, 'Wrong code, 12 times'],
  ['reset', null, 1, 'The operator reset the sign-in'],
] as const)('describes %s with %s, %i times', (event, way, times, words) => {
  expect(describeActivity({ event, way, times })).toBe(words)
})

it.each([
  ['wrong-password', 'did not have your password'],
  ['wrong-code', 'may know your password'],
  ['sign-in', 'may know your password'],
] as const)('says after %s that somebody %s', (event, words) => {
  expect(adviseOn(event)).toContain(words)
})
