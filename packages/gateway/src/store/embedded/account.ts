// PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as another user, who owns its files and can reach nothing else.

import { chmodSync, chownSync, lchownSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServerCommand } from '../../local-servers/server-command.ts'

export interface Account {
  uid: number
  gid: number
}

/** Undefined unless this process is root. The folder's owner, if that is somebody else, or else a user without rights. */
export function chooseAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readUsers()
  const { uid } = statSync(folder)
  const owner = uid === 0 ? undefined : users.find((user) => user.uid === uid)
  return owner ?? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? NOBODY
}

const NOBODY: Account = { uid: 65_534, gid: 65_534 }

function readUsers(): (Account & { name: string })[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/** Lets the account through the folder, which stays root's, and nobody else. */
export function letThrough(folder: string, account: Account | undefined): void {
  if (!account || statSync(folder).uid !== 0) return
  chownSync(folder, 0, account.gid)
  chmodSync(folder, 0o710)
}

/** With everything in it. */
export function giveTo(folder: string, account: Account | undefined): void {
  if (!account || statSync(folder).uid === account.uid) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), account.uid, account.gid)
  // Last, so that the owner of the folder shows that everything in it is done.
  chownSync(folder, account.uid, account.gid)
}

/**
 * The command as this account runs it. A folder above `paths` may be closed to it, such as /root: then the process keeps one right of root, to
 * get through folders.
 */
export function runAs(account: Account | undefined, command: ServerCommand, paths: readonly string[]): ServerCommand {
  if (!account) return command
  if ([command.program, ...paths].every((path) => isReachable(dirname(path), account)))
    return { ...command, account: { uid: account.uid, gid: account.gid } }
  const right = findRight(command.cwd)
  const flags = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${right}`,
    `--ambient-caps=-all,+${right}`,
    '--no-new-privs',
  ]
  return { ...command, program: 'setpriv', args: [...flags, '--', command.program, ...command.args] }
}

function isReachable(folder: string, account: Account): boolean {
  const { uid, gid, mode } = statSync(folder)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  return dirname(folder) === folder || isReachable(dirname(folder), account)
}

/** Their bits, the weaker right first. Containers often have only the other one. */
const RIGHTS: readonly [name: string, bit: bigint][] = [
  ['dac_read_search', 1n << 2n],
  ['dac_override', 1n << 1n],
]

function findRight(folder: string): string {
  const rights = process.platform === 'linux' ? readRights() : 0n
  const found = RIGHTS.find(([, bit]) => (rights & bit) !== 0n)
  if (found) return found[0]
  throw new Error(
    `PostgreSQL does not run as root, and the user that it runs as instead cannot get to ${folder}. Choose a folder that everyone can get ` +
      `to, for example --data /var/lib/hearth, or start Hearth as another user`,
  )
}

function readRights(): bigint {
  const [, bits] = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return BigInt(`0x${bits ?? '0'}`)
}
