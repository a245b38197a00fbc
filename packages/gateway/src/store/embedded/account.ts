// PostgreSQL rejects root, and users without a name. Root's runs as a user that nobody else is, without any right of root's: whoever has the
// database's password gets no further than its own files. A user without a name gets one in a user namespace, where the files stay theirs.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { readClaim } from '@hearth/instances'
import { closedAbove, reaching } from './closed-folders.ts'
import { letThrough, openToAll } from './file-rights.ts'

export interface Identity {
  /** Who owns the cluster while PostgreSQL runs like this. Absent: whoever has it now. */
  owner?: number
  /** Put in front of a command. */
  prefix: readonly string[]
}

export interface Account {
  server: Identity
  /** `initdb` and the mode for a single user want a user with a name. */
  tools: Identity
  /** May get through our own folders, to PostgreSQL's in them. */
  group?: number
  notice?: string
}

const SELF: Account = { server: { prefix: [] }, tools: { prefix: [] } }
/** Numbers that no distribution gives to anyone. Rootless containers have none above 65,535. */
const FREE_NUMBERS = Array.from({ length: 14 }, (_, index) => 65_520 + index)
const TRY = 'test -x "$1" && exec "$2" --version'
const TRY_MS = 60_000
/** To give files away and still open them, to become another user, and to stop their processes: CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID. */
const NEEDED_RIGHTS = 0b1110_0011n

/** For root, before it does anything in the folder: whoever can write there could plant links, through which root would write and give away. */
export function becomeOwner(folder: string): void {
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || !owner) return
  if (owner.uid !== 0) return becomeUser(owner)
  if ((owner.mode & 0o022) !== 0)
    throw new Error(
      `other users can write to ${folder}. Take that right from them (chmod go-w '${folder}'), or choose another folder`,
    )
}

function becomeUser({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  try {
    accessSync(import.meta.filename, constants.R_OK)
  } catch {
    throw new Error(
      `PostgreSQL runs as the owner of this folder (user ${uid}), who cannot read Hearth's own files. Give the folder to root, or keep ` +
        `Hearth where that user can read it`,
    )
  }
}

export function chooseAccount(folder: string, program: string): Account {
  const user = process.getuid?.()
  if (user === undefined || (user !== 0 && hasName())) return SELF
  const reasons: string[] = []
  for (const account of user === 0 ? rootsAccounts(folder, program) : [namespaceOf(user), SELF]) {
    const [command, ...args] = [...account.server.prefix, 'sh', '-c', TRY, 'sh', folder, program]
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: TRY_MS })
    if (status === 0) return account
    reasons.push(error?.message ?? (stderr.trim() || `it has no access to ${folder}`))
  }
  throw new Error(
    `PostgreSQL does not run as ${user === 0 ? 'root' : `the user ${user}`}, and in no other way either (${[...new Set(reasons)].join('; ')}). ` +
      `Start Hearth as an ordinary user, or set DATABASE_URL=postgres://user:password@host/database`,
  )
}

/** Also one in a directory of the network. */
function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** In the order in which they are tried. */
function rootsAccounts(folder: string, program: string): Account[] {
  const least = mayGiveAway() ? tryLeastRights(folder, dirname(dirname(program))) : []
  const closed = [folder, program].flatMap((path) => closedAbove(path) ?? [])[0]
  const why = closed === undefined ? 'here it cannot run as another user' : `${closed} is closed to other users`
  const notice =
    `PostgreSQL keeps rights of root over files, because ${why}: whoever has the password of the database could read and change what is ` +
    `root's. Keep Hearth and its data where other users can get through, or run it as an ordinary user`
  const { server, tools } = stranger('+dac_override')
  return [...least, { ...namespaceOf(0), notice }, { server, tools, notice }]
}

function tryLeastRights(folder: string, programs: string): Account[] {
  try {
    return leastRights(folder, programs)
  } catch {
    // A root that is alone in its user namespace has nobody to give anything to, and some file systems know no owners.
    return []
  }
}

function leastRights(folder: string, programs: string): Account[] {
  const account = stranger()
  // The folder around it is ours too, if the launcher made it.
  for (const own of readClaim(dirname(folder)) ? [dirname(folder), folder] : [folder]) letThrough(own, account.group)
  openToAll(programs)
  const reach = reaching(folder, programs)
  if (reach === undefined) return [account]
  const through = ({ owner, prefix }: Identity & { owner: number }) => ({ owner, prefix: [...reach, ...prefix] })
  return [account, { ...account, server: through(account.server), tools: through(account.tools) }]
}

export function stranger(right?: '+dac_override') {
  const users = usersOf(readFileSync('/etc/passwd', 'utf8'))
  const named = nameIn(users)
  const free = FREE_NUMBERS.find((uid) => !users.includes(uid)) ?? named
  return {
    server: asUser(free, free, right),
    tools: asUser(named, free, right),
    group: free,
    notice: `PostgreSQL does not run as root. It runs as the user ${free} instead, who owns its files`,
  }
}

export function namespaceOf(user: number): Account {
  const named = nameIn(usersOf(readFileSync('/etc/passwd', 'utf8')))
  const identity = { owner: user, prefix: ['unshare', '--user', `--map-user=${named}`, `--map-group=${named}`, '--'] }
  return { server: identity, tools: identity }
}

function usersOf(passwd: string): number[] {
  return passwd.split('\n').map((line) => Number(line.split(':')[2]))
}

function nameIn(users: readonly number[]): number {
  return users.find((uid) => uid > 0) ?? 1
}

function asUser(uid: number, gid: number, right?: '+dac_override') {
  const flags = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
  const rights = [
    `--inh-caps=-all,${right}`,
    `--ambient-caps=-all,${right}`,
    // Otherwise access(2), by which PostgreSQL looks for its own files, ignores that right.
    '--securebits=+no_setuid_fixup',
  ]
  return { owner: uid, prefix: ['setpriv', ...flags, ...(right === undefined ? ['--inh-caps=-all'] : rights), '--'] }
}

/** A container's root may not have what it takes. */
function mayGiveAway(): boolean {
  if (process.platform !== 'linux') return false
  const [, rights = '0'] = /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (BigInt(`0x${rights}`) & NEEDED_RIGHTS) === NEEDED_RIGHTS
}
