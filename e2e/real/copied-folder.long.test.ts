// Two real device apps with the same login, as after somebody copied the folder of one machine to another.

import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { startCopy, type DeviceProcess } from '../harness/processes/device-process.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { HI, startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'

const MODEL = 'own'

/** A change of its login file makes a waiting app dial at once. */
async function dialNow({ home, heard, output }: DeviceProcess, expected: string): Promise<void> {
  const from = output().length
  const soon = new Date(Date.now() + 10_000 + from)
  await utimes(join(home, 'credential.json'), soon, soon)
  await heard(expected, from)
}

/** The app writes its status a moment later. */
async function statusSays({ command }: DeviceProcess, text: string): Promise<void> {
  await vi.waitFor(async () => expect(await command('status')).toContain(text), DEADLINE_MS)
}

const REPLACED = 'another device app is connected with the same login'
const REFUSED = 'another machine is connected with the login of this one'

it('[L32] tell both owners why one of them is refused', async () => {
  await using system = await startSystem({ devices: 'none' })
  await using original = await startTinyDevice(system, MODEL)
  await using copy = await startCopy(original, MODEL)
  await original.heard(REPLACED)
  await dialNow(original, 'Connected to')
  await copy.heard(REPLACED)
  await dialNow(copy, 'Connected to')
  await dialNow(original, REFUSED)
  expect(original.output()).toContain(`run hearth-device login ${system.origin} (retrying in`)
  await copy.heard(/Another machine at \S+ tries to use this device's credential/)
  await statusSays(copy, "tries to use this device's credential")
  await statusSays(original, REFUSED)
  expectCompletion(await system.client.post({ model: MODEL, messages: HI, max_tokens: 4 }))
})
