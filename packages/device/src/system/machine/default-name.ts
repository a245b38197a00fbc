// The name of a device whose owner chose none: one that people recognize in a list.

import { loginName, personOf } from '@hearth/command-line/machine/login-name'
import { present } from '@hearth/command-line/present'
import { hostname } from 'node:os'
import type { RunCommand } from '../run-command.ts'

export interface NameFacts {
  /** The owner's name for the computer, where the system asks for one: "Ada's MacBook Pro". */
  computerName?: string
  hostname: string
  model?: string
  /** The account that runs the app. */
  user?: string
}

const ASK_MS = 3_000
/** Names that systems, clouds and containers assign. They are the same on every machine, or mean nothing. */
const SAYS_NOTHING =
  /^$|^(localhost|local|host|server|computer|pc|vm|box|linux|ubuntu|debian|fedora|arch|archlinux|centos|rocky|alpine|nixos|raspberrypi|desktop|laptop|container|docker|node|default|unknown|guest|mac|macbook(-?(pro|air))?|imac)([-.]?\d+)?$|^(desktop|laptop|win|ec2amaz|minint)-[a-z0-9]+$|^ip-[\d-]+$|^[0-9a-f]{12,}$|^[\d.]+$/i

export function chooseName({ computerName = '', hostname: host, model, user = '' }: NameFacts): string {
  const short = host.replace(/\.(local|lan|home|internal|localdomain)$/i, '')
  if (!SAYS_NOTHING.test(computerName.trim())) return computerName.trim()
  if (!SAYS_NOTHING.test(short)) return short
  const owner = personOf(user)
  if (model !== undefined) return owner === undefined ? model : `${owner}'s ${model}`
  return owner === undefined ? host || 'device' : `${owner}'s computer`
}

export async function readNameFacts(platform: NodeJS.Platform, run: RunCommand): Promise<Omit<NameFacts, 'model'>> {
  const computerName = platform === 'darwin' ? await askComputerName(run) : undefined
  return present({ hostname: hostname(), computerName, user: loginName() })
}

async function askComputerName(run: RunCommand): Promise<string | undefined> {
  const { code, stdout } = await run('scutil', ['--get', 'ComputerName'], { timeoutMs: ASK_MS })
  return code === 0 ? stdout.trim() : undefined
}
