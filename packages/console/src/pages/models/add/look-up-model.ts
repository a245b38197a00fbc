import { api, send, type Shapes } from '../../../api/client.ts'
import { memoryOf } from './device-fit.ts'
import { openMachines, type DeviceMachine } from './device-machine.ts'

/** Asks a device about a name or reference: the devices know the model hub, the gateway doesn't. */
export async function lookUpModel(
  organization: string,
  machines: readonly DeviceMachine[],
  source: string,
): Promise<Shapes['FoundModel']> {
  const params = { path: { organization, device: findExpert(machines) } }
  const path = '/organizations/{organization}/devices/{device}/models/look-up'
  return send(api.POST(path, { params, body: { source } }))
}

/** The device with the most memory: it has room for models that don't fit on the others. */
function findExpert(machines: readonly DeviceMachine[]): string {
  const [best] = openMachines(machines).toSorted((one, other) => memoryOf(other) - memoryOf(one))
  if (best) return best.device.id
  throw new Error('No device can look it up right now. Start a device that lets admins add models.')
}
