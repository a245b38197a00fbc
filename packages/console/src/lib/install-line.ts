/** The line that makes a machine a device once somebody has approved the code it shows; the one with a token comes from the gateway. */
export function installLine(gatewayUrl: string): string {
  const line = `npm exec --yes --package=${gatewayUrl}/device/v1/installer.tgz -- hearth-device-install ${gatewayUrl}`
  return isUnencrypted(gatewayUrl) ? `${line} --allow-insecure` : line
}

// The device app asks before it talks to another machine in clear text; whoever pastes the line has decided.
function isUnencrypted(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)
}
