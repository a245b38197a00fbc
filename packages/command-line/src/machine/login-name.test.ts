import { describe, expect, it } from 'vitest'
import { loginName, personOf } from './login-name.ts'

describe('the person at this machine', () => {
  it.each([
    ['ada', 'Ada'],
    ['ada.lovelace', 'Ada'],
    ['Ada Lovelace', 'Ada'],
    ['jürgen', 'Jürgen'],
    ['a'.repeat(200), `A${'a'.repeat(23)}`],
    ...['', 'root', 'Administrator', 'ec2-user', 'ubuntu', '\u0007bell', '-x', '<b>'].map((login) => [
      login,
      undefined,
    ]),
  ])('with the login %j is %j', (login, name) => {
    expect(personOf(login!)).toBe(name)
  })

  it('has a login, or none', () => {
    expect(loginName()).toBeTypeOf('string')
  })
})
