// A source can't be reached, as opposed to one that rejects the request. Another source may have the same file.

import { CommandError } from '@hearth/command-line/errors'

export class Unreachable extends CommandError {
  override name = 'Unreachable'
}
