import { api, send, type Shapes } from '../../../api/client.ts'
import { memoryOf } from './device-fit.ts'
import { chooseFound, type ModelChoice } from './model-choice.ts'

type Device = Shapes['Device']

/** Asks a device about a name or reference: the devices know the model hub, the gateway doesn't. */
export async function lookUpModel(
  organization: string,
  devices: readonly Device[],
  source: string,
): Promise<ModelChoice> {
  const params = { path: { organization, device: findExpert(devices).id } }
  const path = '/organizations/{organization}/devices/{device}/models/look-up'
  return chooseFound(source, await send(api.POST(path, { params, body: { source } })))
}

/** The device with the most memory: it has room for models that don't fit on the others. */
function findExpert(devices: readonly Device[]): Device {
  const open = devices.filter(({ state, library }) => state !== 'offline' && library?.isOpen === true)
  const [best] = open.toSorted((one, other) => memoryOf(other) - memoryOf(one))
  if (best) return best
  throw new Error('No device can look it up right now. Start a device that lets admins add models.')
}
