// The commands that install a program of this gateway on another machine. They need only npm, on every system.

import { DEVICE_APP, SEAL_PROGRAM, type Program } from '@hearth/command-line/install/program'
import { isThisMachine } from '../access/network/shared-address.ts'
import { installerOf } from './app-manifest.ts'

/** Turns a machine into a device. Without a token, it shows a code that someone approves in the console. */
export function installLine(gatewayUrl: string, token?: string): string {
  return lineOf(DEVICE_APP, gatewayUrl, token === undefined ? [] : [`--token ${token}`])
}

/** Installs the program that seals requests. */
export function sealInstallLine(gatewayUrl: string): string {
  return lineOf(SEAL_PROGRAM, gatewayUrl, [])
}

function lineOf({ path, command }: Program, gatewayUrl: string, options: readonly string[]): string {
  const words = [
    'npm exec --yes',
    `--package=${gatewayUrl}${path}/installer.tgz`,
    `-- ${installerOf(command)} ${gatewayUrl}`,
    ...options,
    ...(isUnencrypted(gatewayUrl) ? ['--allow-insecure'] : []),
  ]
  return words.join(' ')
}

/** The programs ask before they connect to another machine without encryption; the person who pastes this command has already decided. */
function isUnencrypted(gatewayUrl: string): boolean {
  const { protocol, hostname } = new URL(gatewayUrl)
  return protocol === 'http:' && !isThisMachine(hostname)
}
