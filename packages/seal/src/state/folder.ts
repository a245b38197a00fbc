// The folder where hearth-seal keeps its state, and the files in it. Only its owner can read them.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface SealFolder {
  path: string
  /** The key of an administrator: the seal itself, or a key that the seal vouches for. */
  signingKey: string
  /** The gateway, the API key and the seal, for those who don't want to name them with each command. */
  settings: string
  /** The newest documents that were seen of each seal. */
  seen: string
  /** What clients on this machine show to the proxy. */
  proxyToken: string
}

export function sealFolder(home: string | undefined): SealFolder {
  const path = home === undefined ? join(homedir(), '.hearth-seal') : resolve(home)
  return {
    path,
    signingKey: join(path, 'seal.json'),
    settings: join(path, 'settings.json'),
    seen: join(path, 'seen.json'),
    proxyToken: join(path, 'proxy-token'),
  }
}
