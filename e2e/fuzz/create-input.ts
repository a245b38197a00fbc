// The input with a given number: always the same for the same seed.

import { randomOf } from '../harness/random-of.ts'
import type { Input } from './input.ts'
import { createApiInput } from './inputs/api-input.ts'
import { createConsoleInput, type ConsoleRoute } from './inputs/console-input.ts'
import { createDeviceInput } from './inputs/device-input.ts'
import { createBusInput } from './inputs/bus-input.ts'
import { createGatewayInput } from './inputs/gateway-input.ts'
import { createLinkInput } from './inputs/link-input.ts'

export interface Surface {
  routes: readonly ConsoleRoute[]
}

export function createInput(seed: number, index: number, { routes }: Surface): Input {
  const random = randomOf(seed, index)
  const kind = random.fraction()
  if (kind < 0.3) return createApiInput(random)
  if (kind < 0.5) return createLinkInput(random)
  if (kind < 0.7) return createConsoleInput(random, routes)
  if (kind < 0.82) return createDeviceInput(random)
  return kind < 0.94 ? createBusInput(random) : createGatewayInput(random)
}
