import { describe, expect, it } from 'vitest'
import { GRANTS, POLICY, reachOf } from './policy.ts'

describe('the policy', () => {
  it('gives members no more than admins, and admins no more than owners', () => {
    const order = ['none', 'own', 'all']
    for (const action of Object.keys(POLICY) as (keyof typeof POLICY)[]) {
      const [member, admin, owner] = (['member', 'admin', 'owner'] as const).map((role) =>
        order.indexOf(reachOf(role, action)),
      )
      expect([action, member! <= admin!, admin! <= owner!]).toEqual([action, true, true])
    }
  })

  it('lets nobody grant a role above their own', () => {
    expect(GRANTS).toEqual({ owner: ['owner', 'admin', 'member'], admin: ['admin', 'member'], member: [] })
  })
})
