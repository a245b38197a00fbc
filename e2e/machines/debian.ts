// A small Debian in a folder, with Node 20 and its npm: what a new user's server or container has.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { watchOutput, type WatchedOutput } from '../harness/processes/watch-output.ts'
import { bash, WORK } from './machine.ts'

export interface Debian {
  suite: 'bullseye' | 'bookworm' | 'trixie'
  /** Another one than this machine's is emulated. */
  processor?: 'arm64'
}

export interface Entry {
  root: string
  user: string
  /** Lines for sh. */
  lines: string
  environment?: readonly string[]
  /** Folders of this machine, and where they are to be. */
  mounts?: readonly (readonly [from: string, to: string])[]
}

export interface Entered extends WatchedOutput {
  /** To all processes, as Ctrl-C does. */
  interrupt: () => void
  /** To the first one alone. */
  end: () => void
}

/** A copy of what npm has downloaded on this machine, which every user may change. */
export const NPM_CACHE = [join(WORK, 'npm-cache'), '/opt/npm-cache'] as const

/** Makes the system once, and returns the folder of a copy. */
export async function makeDebian({ suite, processor }: Debian): Promise<string> {
  const original = join(WORK, `${suite}-${processor ?? 'as-here'}`)
  if (!existsSync(original)) {
    if (processor !== undefined) await bash(EMULATE)
    await bash(bootstrap(suite, processor, original))
  }
  return bash(`copy=$(mktemp -d ${WORK}/debian-XXXXXX) && cp -a ${original}/. $copy && echo $copy`)
}

/** The kernel gives programs for another processor to the emulator, in every folder. */
const EMULATE = `
  test -e /proc/sys/fs/binfmt_misc/register || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  test -e /proc/sys/fs/binfmt_misc/qemu-aarch64 || cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register`

/** The mirror, and the way to npm's registry, are those of this machine. */
function bootstrap(suite: string, processor: Debian['processor'], root: string): string {
  const node = `node-linux-${processor ?? process.arch}`
  return `
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -1 || true)
    unshare --mount debootstrap --variant=minbase --include=libatomic1 ${processor ? `--arch=${processor}` : ''} ${suite} ${root} $mirror
    npm install --prefix ${root}/opt --no-save --force --ignore-scripts --cpu=${processor ?? process.arch} ${node}@20 npm@10
    ln -s /opt/node_modules/${node}/bin/node ${root}/usr/local/bin/node
    ln -s /opt/node_modules/npm/bin/npm-cli.js ${root}/usr/local/bin/npm
    cp --dereference /etc/resolv.conf /etc/hosts ${root}/etc
    certificates=/etc/ssl/certs/ca-certificates.crt
    mkdir -p ${root}/etc/ssl/certs ${root}${NPM_CACHE[1]} ${NPM_CACHE[0]}
    test ! -e $certificates || cp $certificates ${root}$certificates
    printf '%s\\n' registry=$(npm config get registry) cafile=$certificates cache=${NPM_CACHE[1]} prefer-offline=true > ${root}/opt/node_modules/npm/npmrc
    test -e ${NPM_CACHE[0]}/_cacache || cp -r $(npm config get cache)/_cacache ${NPM_CACHE[0]}`
}

/**
 * The lines get the folder as their root, not as one that they are locked into, where the kernel would allow no user namespaces. What is
 * mounted for them ends with them.
 */
export function enter({ root, user, lines, environment = [], mounts = [] }: Entry): Entered {
  const enter = `
    mount --bind ${root} ${root}
    cd ${root}
    for place in dev proc sys; do mount --rbind /$place $place; done
    ${mounts.map(([from, to]) => `mount --bind ${from} .${to}`).join('\n')}
    pivot_root . mnt
    umount --lazy mnt
    exec chroot --userspec=${user} . /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin ${environment.join(' ')} sh -c "$1"`
  const child = spawn('unshare', ['--mount', 'bash', '-euc', enter, 'enter', lines], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return {
    ...watchOutput(child),
    interrupt: () => void process.kill(-child.pid!, 'SIGINT'),
    end: () => void child.kill('SIGTERM'),
  }
}

/** Rejects if the lines fail; resolves with what they printed. */
export async function runIn(entry: Entry): Promise<string> {
  const { exited, output } = enter(entry)
  const code = await exited
  if (code !== 0) throw new Error(`${entry.lines} ended with ${code}:\n${output()}`)
  return output()
}
