import { describe, expect, it } from 'vitest'
import { countUnapproved, describeSealing } from './describe-sealing.ts'

const DESK = { name: 'Desk', isOnline: true, fingerprint: { words: 'able', hex: '00' } }

function devices(...states: ('approved' | 'not-approved' | 'new-key' | 'removed')[]) {
  return states.map((state, index) => ({ ...DESK, id: `d${index}`, state }))
}

describe('the notice about sealed requests', () => {
  it('is silent once every device is approved', () => {
    expect(describeSealing({ mode: 'required', devices: devices('approved', 'removed') })).toBeUndefined()
    expect(describeSealing({ mode: 'optional', devices: [] })).toBeUndefined()
  })

  it.each([
    ['off', devices('approved'), 'Set up, but off.'],
    ['required', devices('not-approved', 'new-key'), 'No device is approved.'],
    ['required', devices('approved', 'new-key'), '1 device not approved.'],
    ['optional', devices('approved', 'new-key', 'not-approved'), '2 devices not approved.'],
  ] as const)('%s with %j', (mode, all, title) => {
    expect(describeSealing({ mode, devices: all })?.title).toBe(title)
  })

  it('says that unapproved devices answer nothing only if sealing is required', () => {
    const all = devices('approved', 'not-approved')
    expect(describeSealing({ mode: 'required', devices: all })?.text).toContain("can't answer")
    expect(describeSealing({ mode: 'optional', devices: all })?.text).toContain('only plain requests')
  })

  it('does not count devices that are no longer here', () => {
    expect(countUnapproved({ devices: devices('approved', 'removed', 'not-approved') })).toBe(1)
  })
})
