import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { useSession } from '../../session/session.ts'
import type { ModelChoice } from './choose-model.tsx'
import { memoryOf } from './device-fit.ts'

type Device = Shapes['Device']

/** Asks a device what a name or reference means: the devices know the model hub, the gateway doesn't. */
export function useLookUp(devices: readonly Device[], onFound: (choice: ModelChoice) => void) {
  const { organization } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function ask(source: string): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const device = expert(devices)
      const params = { path: { organization: organization.id, device: device.id } }
      const path = '/organizations/{organization}/devices/{device}/models/look-up'
      onFound(toChoice(source, await send(api.POST(path, { params, body: { source } }))))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return { lookUp: (source: string) => void ask(source), isBusy, failure }
}

/** The device with the most memory: it has room for what the others have no room for. */
function expert(devices: readonly Device[]): Device {
  const open = devices.filter(({ state, library }) => state !== 'offline' && library?.isOpen === true)
  const [best] = open.toSorted((one, other) => memoryOf(other) - memoryOf(one))
  if (best) return best
  throw new Error('No device can look it up right now. Start a device that lets administrators add models.')
}

function toChoice(source: string, { name, bytes, memoryBytes, license }: Shapes['FoundModel']): ModelChoice {
  return {
    name,
    title: name,
    source,
    bytes,
    memoryBytes,
    license: license === null ? undefined : { name: license },
    contextLength: undefined,
  }
}
