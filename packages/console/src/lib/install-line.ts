/** The command that adds a machine once someone approves the code it shows. The gateway makes the one with a token. */
export function installLine(gatewayUrl: string): string {
  const line = `npm exec --yes --package=${gatewayUrl}/device/v1/installer.tgz -- hearth-device-install ${gatewayUrl}`
  return isUnencrypted(gatewayUrl) ? `${line} --allow-insecure` : line
}

// The device app asks before it sends data to another machine unencrypted. Pasting this command answers yes.
function isUnencrypted(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)
}
