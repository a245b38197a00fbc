import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../packages/gateway/src/main.ts', import.meta.url))

function start(settings: Record<string, string>): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [MAIN], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...settings },
    encoding: 'utf8',
  })
}

describe('a gateway that cannot open its database', () => {
  it.each([
    ['mysql://x', /^Cannot open the store: set DATABASE_URL to embedded:<folder> or postgres:/],
    // Nobody listens on port 1.
    ['postgres://u:p@127.0.0.1:1/x', /^Cannot open the store: the database cannot be reached \(ECONNREFUSED\)\./],
  ])('says why once, and exits: %s', (url, why) => {
    const { status, stderr } = start({ DATABASE_URL: url })
    expect(stderr).toMatch(why)
    expect(stderr.match(/Cannot open/g)).toHaveLength(1)
    expect(status).toBe(1)
  })
})
