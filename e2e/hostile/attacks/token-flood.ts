// A stranger polls for a device code that nobody ever issued.

import { flood } from '../attacker/flood.ts'
import { madeUpSecret } from '../attacker/made-up-secret.ts'
import type { Attack } from '../attack.ts'

export const tokenFlood: Attack = {
  name: 'token-flood',
  from: 'outside',
  async run({ origin }, tally) {
    const sending = () => ({
      path: '/device/v1/token',
      body: JSON.stringify({ device_code: madeUpSecret('hc-hearth-') }),
    })
    await flood(origin, { sending, times: 4_000, perSecond: 1_000 }, tally)
  },
}
