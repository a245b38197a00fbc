// PostgreSQL rejects root, and users without a name. For them it runs in a user namespace in which they have another number: the files stay
// theirs, wherever they are. Where namespaces are forbidden, as in many containers, root's runs as a user that nobody else is, with a single
// right of root's: to open files in folders that are closed to others.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

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
  notice?: string
}

const SELF: Account = { server: { prefix: [] }, tools: { prefix: [] } }
/** Numbers that no distribution gives to anyone. Rootless containers have none above 65,535. */
const FREE_NUMBERS = Array.from({ length: 14 }, (_, index) => 65_520 + index)
const TRY = 'test -w "$1" && exec "$2" --version'
const TRY_MS = 60_000

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
  for (const account of accountsOf(user, readFileSync('/etc/passwd', 'utf8'))) {
    const [command, ...args] = [...account.server.prefix, 'sh', '-c', TRY, 'sh', folder, program]
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: TRY_MS })
    if (status === 0) return account
    reasons.push(error?.message ?? (stderr.trim() || `it has no access to ${folder}`))
  }
  throw new Error(
    `PostgreSQL does not run as ${user === 0 ? 'root' : `the user ${user}`}, who can neither give it a user namespace (${reasons[0]}) nor ` +
      `another user (${reasons[1]}). Start Hearth as an ordinary user, or set DATABASE_URL=postgres://user:password@host/database`,
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

/** Those of root or of a user without a name, in the order in which they are tried. */
export function accountsOf(user: number, passwd: string): Account[] {
  const users = passwd.split('\n').map((line) => Number(line.split(':')[2]))
  const named = users.find((uid) => uid > 0) ?? 1
  const free = FREE_NUMBERS.find((uid) => !users.includes(uid)) ?? named
  const namespace = { owner: user, prefix: ['unshare', '--user', `--map-user=${named}`, `--map-group=${named}`, '--'] }
  const another = {
    server: asUser(free),
    tools: asUser(named),
    notice: `PostgreSQL does not run as root. It runs as the user ${free} instead, who owns its files`,
  }
  // A server whose cluster is there already needs no name.
  return [{ server: namespace, tools: namespace }, user === 0 ? another : SELF]
}

function asUser(uid: number): Identity {
  const flags = [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    // Otherwise access(2), by which PostgreSQL looks for its own files, ignores that right.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ]
  return { owner: uid, prefix: ['setpriv', ...flags, '--'] }
}

/** Looks at every file, because an earlier start may have been killed on the way. */
export function giveTo(folder: string, owner: number | undefined): void {
  if (owner === undefined) return
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((entry) => join(folder, entry))
  // The folder first, which closes it to the one before.
  for (const path of [folder, ...entries]) if (lstatSync(path).uid !== owner) lchownSync(path, owner, owner)
}
