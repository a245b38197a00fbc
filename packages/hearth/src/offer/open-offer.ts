// Connects the offer of a better model with this terminal, the device and the database.

import { openStore } from '@hearth/gateway'
import { openDeviceFolder } from '../start/device-part.ts'
import { enableNewModels } from '../start/first-run.ts'
import type { LaunchContext } from '../start/launch-context.ts'
import type { Launched } from '../start/launch.ts'
import type { Options } from '../start/options.ts'
import { curlLine } from '../terminal/panel.ts'
import type { OfferWorld } from './offer-model.ts'
import { wantedFileOf } from './wanted-model.ts'
import { KeyPresses, isInForeground } from '../terminal/key-presses.ts'

export function openOffer(
  { data }: Options,
  launched: Launched,
  { screen, log }: Pick<LaunchContext, 'screen' | 'log'>,
): OfferWorld {
  const { baseUrl, newKey = 'YOUR_KEY', models } = launched
  return {
    folder: openDeviceFolder(data),
    screen,
    wanted: wantedFileOf(data),
    models,
    pressed: openKeys(),
    enable: (name) => enable(name, launched),
    requestFor: (name) => curlLine(baseUrl, newKey, name),
    keep: (line) => log.add('device', line),
  }
}

/** Undefined where nobody sits at the keyboard. */
function openKeys(): OfferWorld['pressed'] {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY || process.env['CI'] || !isInForeground()) return undefined
  const keys = new KeyPresses(stdin, stdout)
  return (signal) => keys.press('m', signal)
}

async function enable(name: string, { databaseUrl, organization }: Launched): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    await enableNewModels(store, organization, [name])
    await store.changesAreKnown()
  } finally {
    await store.close()
  }
}
