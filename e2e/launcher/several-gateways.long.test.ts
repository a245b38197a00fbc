import { afterAll, expect, it } from 'vitest'
import { startLauncher } from '../harness/processes/launcher-process.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { GATEWAY, nothingIsLeft, partsOf } from './launched-parts.ts'
import { newPlace } from './new-place.ts'

const place = await newPlace()
afterAll(() => place[Symbol.asyncDispose]())

it('[R15a] runs several gateways, and starts again after all were killed', async () => {
  const flags = [...place.flags, '--gateways', '3', '--model', TINY_PATH]
  await using launcher = startLauncher(flags)
  await launcher.heard(/Press Ctrl-C to stop/)
  const parts = await partsOf(launcher)
  const gateways = parts.filter(({ command }) => command.includes(GATEWAY)).map(({ pid }) => pid)
  expect(gateways).toHaveLength(3)
  const [, printed] = await launcher.heard(/3 share this address \(process IDs (.*)\)/)
  expect(new Set(printed!.split(', ').map(Number))).toStrictEqual(new Set(gateways))
  // Gateways whose launcher dies leave properly; these don't get the chance.
  launcher.signal('SIGKILL')
  for (const pid of gateways) process.kill(pid, 'SIGKILL')
  await nothingIsLeft(parts)
  await using again = startLauncher(flags)
  await again.heard(/Press Ctrl-C to stop/)
})
