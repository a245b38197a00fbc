import { expect, it } from 'vitest'
import { BuildLog } from './build-backend.ts'

it('reads how far Ninja or make is, and keeps the last 200 lines, each of bounded length', () => {
  const shares: number[] = []
  const log = new BuildLog((share) => shares.push(share))
  for (const line of ['-- Configuring done', '[1/40] Building', '[ 50%] Building', '[40/40] Linking', '[0/0]'])
    log.add(line)
  expect(shares).toEqual([1 / 40, 0.5, 1])
  for (let index = 0; index < 300; index += 1) log.add(`line ${index} ${'x'.repeat(1000)}`)
  expect(log.lines()).toHaveLength(200)
  expect(log.lines().at(-1)).toMatch(/^line 299 x{491}$/)
})
