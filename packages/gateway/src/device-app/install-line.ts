// The one line that makes another machine a device: npm is all it needs, on every system.

/** Without a token the machine shows a code, which a person approves in the console. */
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

/** The device app asks its owner before it talks to another machine in clear text; whoever pastes this line has decided. */
function isUnencrypted(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]'
  return protocol === 'http:' && !isHere && !/^127(\.\d+){3}$/.test(hostname)
}
