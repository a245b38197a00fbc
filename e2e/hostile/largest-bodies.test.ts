// Every path is tried with the largest body that it takes, and with one byte more. The numbers come from the table of bounds.

import { afterAll, describe, expect, it } from 'vitest'
import { BOUNDS } from '../../packages/gateway/src/testing/bounds/bounds.ts'
import { HTTP_PATHS } from '../../packages/gateway/src/testing/bounds/doors.ts'
import { startSystem } from '../harness/start-system.ts'

const BODIES = ['join-body', 'console-body'] as const
const CONCRETE: Partial<Record<string, string>> = {
  '/api/v1/*': '/api/v1/sign-in',
  '/api/auth/*': '/api/auth/passkey/x',
}

const doors = Object.entries(HTTP_PATHS).flatMap(([path, bounds]) =>
  BODIES.filter((name) => bounds.includes(name)).map((name) => ({
    path: CONCRETE[path] ?? path,
    bytes: BOUNDS[name].most[0]!.value,
  })),
)

const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

async function post(path: string, bytes: number): Promise<number> {
  const { status } = await fetch(`${system.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: system.origin },
    body: JSON.stringify('x'.repeat(bytes - 2)),
  })
  return status
}

describe.each(doors)('$path', ({ path, bytes }) => {
  it('reads the largest body that it takes', async () => {
    expect(await post(path, bytes)).not.toBe(413)
  })

  it('rejects a larger body', async () => {
    expect(await post(path, bytes + 1)).toBe(413)
  })
})
