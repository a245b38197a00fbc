// A stranger asks how to sign in, over and over: the page is for people who have not signed in yet.

import { flood } from '../attacker/flood.ts'
import type { Attack } from '../attack.ts'

export const signInFlood: Attack = {
  name: 'sign-in-flood',
  from: 'outside',
  async run({ origin }, tally) {
    const sending = () => ({ method: 'GET', path: '/api/v1/sign-in' })
    await flood(origin, { sending, times: 4_000, perSecond: 1_000 }, tally)
  },
}
