// Frames that come from devices. Devices are other people's machines, so every field is checked and has a limit.

import { readEnergy } from '../device/energy.ts'
import { readDownload, readLibrary, readModelReply } from '../device/read-library.ts'
import { readShared } from '../device/sharing.ts'
import { MAX_MODELS_PER_DEVICE } from '../limits.ts'
import { optional, readList, readObject, type Fields } from '../read-fields.ts'
import type { DeviceFrame } from './frames.ts'
import { readBackend, readHello, readModels, readRest } from './read-device-state.ts'
import { readDelta, readJobFrame, readSealed } from './read-job-frame.ts'

/** Undefined for a frame type newer than this reader. */
export function readDeviceFrame(fields: Fields): DeviceFrame | undefined {
  switch (fields['type']) {
    case 'job-delta':
      return readDelta(fields)
    case 'job-sealed':
      return readSealed(fields)
    case 'pong':
    case 'drain':
      return { type: fields['type'] }
    case 'hello':
      return readHello(fields)
    case 'models':
      return { type: 'models', models: readModels(fields) }
    case 'downloads':
      return { type: 'downloads', downloads: readList(fields, 'downloads', MAX_MODELS_PER_DEVICE, readDownload) }
    case 'backend':
      return { type: 'backend', backend: readBackend(readObject(fields, 'backend')) }
    case 'rest':
      return { type: 'rest', ...optional(fields, 'rest', (from, name) => readRest(readObject(from, name))) }
    case 'energy':
      return { type: 'energy', ...optional(fields, 'energy', (from, name) => readEnergy(readObject(from, name))) }
    case 'library':
      return { type: 'library', library: readLibrary(readObject(fields, 'library')) }
    case 'shared':
      return { type: 'shared', models: readShared(fields) }
    case 'model-reply':
      return readModelReply(fields)
    default:
      return readJobFrame(fields)
  }
}
