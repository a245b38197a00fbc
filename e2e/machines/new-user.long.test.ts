// What `npm run machines` tries, on the machine that most servers and containers are.

import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { isInstalled, mayMount } from '../harness/leave-out.ts'
import { WORK } from './machine.ts'
import { NEW_USERS } from './new-user.ts'

const WHAT = 'a small Debian'
/** Makes the system and installs everything. Only ends a test that hangs. */
const TIMEOUT_MS = 1_800_000

const run = async (name: string) => NEW_USERS.find((machine) => machine.name === name)!.run([])

afterAll(() => rmSync(WORK, { recursive: true, force: true }))

describe.runIf(mayMount(WHAT) && isInstalled('debootstrap', '--version', WHAT))(
  'on a small Debian 12',
  { timeout: TIMEOUT_MS },
  () => {
    it("installs, starts, answers and stops for root in root's closed home", async () => {
      expect(await run('debian-12-root')).toBe('installs, starts, answers, stops')
    })

    it('names the package that Node needs, if that is missing', async () => {
      expect(await run('debian-12-lacking')).toBe('says which package to install')
    })
  },
)
