// The command that turns another machine into a device. It needs only npm, on every system.

import { isThisMachine } from '../access/network/shared-address.ts'

/** Without a token, the machine shows a code that someone approves in the console. */
export function installLine(gatewayUrl: string, token?: string): string {
  const words = [
    'npm exec --yes',
    `--package=${gatewayUrl}/device/v1/installer.tgz`,
    `-- hearth-device-install ${gatewayUrl}`,
    ...(token === undefined ? [] : [`--token ${token}`]),
    ...(isUnencrypted(gatewayUrl) ? ['--allow-insecure'] : []),
  ]
  return words.join(' ')
}

/** The device app asks before it connects to another machine without encryption; the person who pastes this command has already decided. */
function isUnencrypted(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol === 'http:' && !isThisMachine(hostname)
}
