import { describe, expect, it } from 'vitest'
import { GRANTS, POLICY, reachOf } from './policy.ts'

describe('the policy', () => {
  it('[M9] gives nobody more than an admin and an admin no more than an owner', () => {
    const order = ['none', 'own', 'all']
    for (const action of Object.keys(POLICY) as (keyof typeof POLICY)[]) {
      const [member, admin, owner] = (['member', 'admin', 'owner'] as const).map((role) =>
        order.indexOf(reachOf(role, action)),
      )
      expect([action, member! <= admin!, admin! <= owner!]).toEqual([action, true, true])
    }
  })

  it('[M17] lets nobody hand out what they do not have', () => {
    expect(GRANTS).toEqual({ owner: ['owner', 'admin', 'member'], admin: ['admin', 'member'], member: [] })
  })
})
