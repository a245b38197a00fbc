// This machine's login, read from its file. A command may replace it while the app runs.

import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import type { Identity } from '../link/login.ts'
import type { Settings } from '../settings/settings.ts'
import { loadCredential, type Credential } from '../state/credential.ts'
import { createFileWatch } from './watch-file.ts'

export class LoginFile {
  readonly #path: string
  readonly #settings: Pick<Settings, 'allowInsecure'>
  /** Each call returns whether the file changed since the last call. */
  readonly hasChanged: () => boolean
  #credential: Credential

  /** Throws CommandError if this machine is not logged in. */
  constructor(path: string, settings: Pick<Settings, 'allowInsecure'>) {
    this.#path = path
    this.#settings = settings
    this.#credential = loadCredential(path)
    this.hasChanged = createFileWatch(path)
    this.hasChanged()
  }

  /** As it was last read. */
  get credential(): Credential {
    return this.#credential
  }

  identity(): Identity {
    return { ...this.#credential, gateway: readGatewayAddress(this.#credential.gateway, this.#settings) }
  }

  /** Throws CommandError if this machine is no longer logged in. */
  read(): Identity {
    this.#credential = loadCredential(this.#path)
    return this.identity()
  }
}
