// Connects the offers of better models with this terminal, the device and the database.

import { openKeys } from '@hearth/command-line/terminal/key-presses'
import { openStore } from '@hearth/gateway'
import { openDeviceFolder } from '../start/device-part.ts'
import { enableNewModels } from '../start/first-run.ts'
import type { LaunchContext } from '../start/launch-context.ts'
import type { Launched } from '../start/launch.ts'
import type { Options } from '../start/options.ts'
import { curlLine } from '../terminal/panel.ts'
import type { OfferWorld } from './offer-model.ts'
import type { ServersOfferWorld } from './offer-servers.ts'
import { wantedFileOf } from './wanted-model.ts'

export function openOffers(
  options: Options,
  launched: Launched,
  { screen, log }: Pick<LaunchContext, 'screen' | 'log'>,
): { model: OfferWorld; servers: ServersOfferWorld } {
  const { baseUrl, newKey = 'YOUR_KEY', models } = launched
  const keys = openKeys()
  const shared = {
    folder: openDeviceFolder(options),
    screen,
    enable: (names: readonly string[]) => enable(names, launched),
    requestFor: (name: string) => curlLine(baseUrl, newKey, name),
  }
  const pressed = (key: string) => keys && ((signal: AbortSignal) => keys.press(key, signal))
  const keep = (line: string): void => log.add('device', line)
  return {
    model: { ...shared, wanted: wantedFileOf(options.data), models, pressed: pressed('m'), keep },
    servers: { ...shared, pressed: pressed('o') },
  }
}

async function enable(names: readonly string[], { databaseUrl, organization }: Launched): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    await enableNewModels(store, organization, names)
    await store.changesAreKnown()
  } finally {
    await store.close()
  }
}
