import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readInstallOptions } from './install-options.ts'

describe('installer options', () => {
  it('require only the address', () => {
    expect(readInstallOptions(['https://hearth.example.com'], {})).toStrictEqual({
      gateway: new URL('https://hearth.example.com/'),
      home: join(homedir(), '.hearth-device'),
      token: undefined,
      name: undefined,
      model: undefined,
      seal: undefined,
      allowInsecure: false,
      isYes: false,
      next: 'start',
    })
  })

  it('take the token and the home folder from the environment too, where other users cannot see them', () => {
    const environment = { HEARTH_DEVICE_TOKEN: 'he-x', HEARTH_DEVICE_HOME: '/srv/device' }
    const options = readInstallOptions(['hearth.example.com', '--service', '--name', 'studio'], environment)
    expect(options).toMatchObject({ token: 'he-x', home: '/srv/device', next: 'service', name: 'studio' })
  })

  it.each([
    [[], 'Give the address of your gateway, and only one'],
    [['https://a', 'https://b'], 'Give the address of your gateway, and only one'],
    [['https://a', '--tokn', 'x'], "Unknown option '--tokn'"],
    [['http://192.168.1.5:8080'], 'would not be encrypted'],
    [['https://a b'], 'is not a valid address'],
  ])('are explained when they are wrong: %o', (words, message) => {
    expect(() => readInstallOptions(words, {})).toThrow(message)
  })

  it('have help', () => {
    expect(readInstallOptions(['--help'], {})).toBe('help')
  })
})
