// The first two of `npm run machines`.

import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { isInstalled, isRoot } from '../harness/leave-out.ts'
import { WORK } from './machine.ts'
import { MACHINES } from './machines.ts'

/** Ends a run that hangs. A busy machine takes a quarter of an hour for each. */
const DEADLINE_MS = 3_600_000
const canMake = isRoot('e2e/machines') && isInstalled('debootstrap', '--version', 'e2e/machines')

afterAll(() => rmSync(WORK, { recursive: true, force: true }))

describe.runIf(canMake)("README's two commands", () => {
  it.each(MACHINES.slice(0, 2))('work on $what', { timeout: DEADLINE_MS }, async ({ run }) => {
    expect(await run([])).toBe('installs, starts, answers, stops')
  })
})
