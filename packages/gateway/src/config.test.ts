import { describe, expect, it } from 'vitest'
import { listSettings, readConfig } from './config.ts'

describe('the settings', () => {
  it('have defaults for everything', () => {
    expect(readConfig({})).toMatchObject({ PORT: 8080, DATABASE_URL: 'embedded:./data', DEVICE_WAIT_MS: 120_000 })
  })

  it('treat an empty variable as not set', () => {
    expect(readConfig({ PORT: '' }).PORT).toBe(8080)
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['DEVICE_WAIT_MS', '0'],
    ['DEVICE_WAIT_MS', '2m'],
    ['LOG_LEVEL', 'loud'],
    ['MAX_BODY_BYTES', '10'],
    ['QUEUE_PER_KEY', '1.5'],
  ])('reject %s=%s and name it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}.*"${value}"`))
  })

  it('name the database of several gateways', () => {
    expect(() => readConfig({ NATS_URL: 'nats://host' })).toThrow(/NATS_URL.*DATABASE_URL/)
    expect(readConfig({ NATS_URL: 'nats://host', DATABASE_URL: 'postgres://host/hearth' }).NATS_URL).toBe('nats://host')
  })

  it('are listed with their help', () => {
    expect(listSettings()).toContainEqual({
      name: 'PORT',
      fallback: '8080',
      help: expect.stringContaining('port to listen on') as string,
    })
  })
})
