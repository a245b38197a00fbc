import { describe, expect, it } from 'vitest'
import { loginName, organizationName } from './first-run.ts'

describe('the name of the first organization', () => {
  it.each([
    ['ada', "Ada's team"],
    ['ada.lovelace', "Ada's team"],
    ['Ada Lovelace', "Ada's team"],
    ['jürgen', "Jürgen's team"],
    ['a'.repeat(200), `A${'a'.repeat(23)}'s team`],
  ])('comes from the login %s', (login, name) => {
    expect(organizationName(login)).toBe(name)
  })

  it.each([undefined, '', 'root', 'Administrator', 'ec2-user', 'ubuntu', '\u0007bell', '-x', '<b>'])(
    'is a neutral one for %j',
    (login) => {
      expect(organizationName(login)).toBe('My team')
    },
  )

  it('is never empty and never a page of the console', () => {
    expect(organizationName(loginName())).toMatch(/^\S+ team$/)
  })
})
