// The input with a given number: always the same for the same seed.

import { Random } from '@hearth/gateway/testing'
import type { Input } from './input.ts'
import { createApiInput } from './inputs/api-input.ts'
import { createConsoleInput, type ConsoleRoute } from './inputs/console-input.ts'
import { createDeviceInput } from './inputs/device-input.ts'
import { createLinkInput } from './inputs/link-input.ts'

export interface Surface {
  routes: readonly ConsoleRoute[]
}

export function createInput(seed: number, index: number, { routes }: Surface): Input {
  // Neighboring seeds must not share their inputs.
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ index)
  const kind = random.fraction()
  if (kind < 0.4) return createApiInput(random)
  if (kind < 0.65) return createLinkInput(random)
  if (kind < 0.9) return createConsoleInput(random, routes)
  return createDeviceInput(random)
}
