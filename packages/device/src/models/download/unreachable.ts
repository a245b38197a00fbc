// A source can't be reached, as opposed to one that rejects the request. Another source may have the same file.

import { DeviceError } from '../../errors.ts'

export class Unreachable extends DeviceError {
  override name = 'Unreachable'
}
