// `npm run servers` on the one server that is made in minutes. The others are run by hand, and docs/local-servers.md says when.

import { describe, expect, it } from 'vitest'
import { isInstalled, isLinux } from '../harness/leave-out.ts'
import { runContract } from './contract/run-contract.ts'
import { LLAMA_SERVER } from './drivers/llama-server.ts'

const WHAT = 'a real llama-server'
/** Compiles the server first. Only ends a test that hangs. */
const TIMEOUT_MS = 1_800_000
const canBuild = isLinux(WHAT) && isInstalled('c++', '--version', WHAT) && isInstalled('make', '--version', WHAT)

describe.runIf(canBuild)('a real llama-server behind a device', { timeout: TIMEOUT_MS }, () => {
  it('does all that it is said to do, and nothing else is denied', async () => {
    const wrong: string[] = []
    const { cells } = await runContract(LLAMA_SERVER, (line) => wrong.push(line))
    expect(wrong).toEqual([])
    expect(Object.keys(cells).length).toBeGreaterThan(20)
  })
})
