// The address of the gateway that works on other machines. People who open the console on the gateway's own machine often use 127.0.0.1,
// where no other machine can reach it.

import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { isLoopback } from './client-network.ts'

const EVERY_INTERFACE = new Set(['', '0.0.0.0', '::'])
/** Networks inside the machine, for containers and virtual machines. */
const VIRTUAL = /^(br-|cni|docker|flannel|lxc|podman|vboxnet|vEthernet|veth|virbr|vmnet)/

interface Surroundings {
  /** The address that the gateway listens on. */
  host: string
  /** Who asks. A client from elsewhere came through a proxy or a container's port, which this machine's addresses say nothing about. */
  client: string
  interfaces?: NodeJS.Dict<NetworkInterfaceInfo[]>
}

export function sharedAddress(base: string, { host, client, interfaces }: Surroundings): string {
  const url = new URL(base)
  if (!isThisMachine(url.hostname) || !isLoopback(client) || !EVERY_INTERFACE.has(host)) return base
  const address = networkAddress(interfaces ?? networkInterfaces())
  if (address === undefined) return base
  url.hostname = address
  return url.origin
}

export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostname)
}

function networkAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string | undefined {
  return Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))?.address
}
