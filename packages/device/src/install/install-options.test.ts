import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readInstallOptions } from './install-options.ts'

describe('the words of the installer', () => {
  it('[R5] need only the address', () => {
    expect(readInstallOptions(['https://hearth.example.com'], {})).toStrictEqual({
      gateway: new URL('https://hearth.example.com/'),
      home: join(homedir(), '.hearth-device'),
      token: undefined,
      name: undefined,
      model: undefined,
      allowInsecure: false,
      next: 'start',
    })
  })

  it('[R5] take the token and the home from the environment too, where others do not see it', () => {
    const environment = { HEARTH_DEVICE_TOKEN: 'he-x', HEARTH_DEVICE_HOME: '/srv/device' }
    const options = readInstallOptions(['hearth.example.com', '--service', '--name', 'studio'], environment)
    expect(options).toMatchObject({ token: 'he-x', home: '/srv/device', next: 'service', name: 'studio' })
  })

  it.each([
    [[], 'The address of one gateway is needed'],
    [['https://a', 'https://b'], 'The address of one gateway is needed'],
    [['https://a', '--tokn', 'x'], "Unknown option '--tokn'"],
    [['http://192.168.1.5:8080'], 'would not be encrypted'],
    [['https://a b'], 'Cannot read'],
  ])('[R7] are explained when they are wrong: %o', (words, message) => {
    expect(() => readInstallOptions(words, {})).toThrow(message)
  })

  it('[R5] have help', () => {
    expect(readInstallOptions(['--help'], {})).toBe('help')
  })
})
