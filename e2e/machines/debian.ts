// A small Debian in a folder, with Node 20 and npm: what a new user's server or container has.

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

export type User = 'root' | 'ann'

/** Makes the system once, and returns a copy of it, with the sources of this repository in the closed home of each user. */
export async function makeDebian({ suite, processor }: Debian): Promise<string> {
  const original = join(WORK, `${suite}-${processor ?? 'as-here'}`)
  if (!existsSync(original))
    await bash(`${processor === undefined ? '' : EMULATE} ${bootstrap(suite, processor, original)}`)
  return bash(`copy=$(mktemp -d ${WORK}/debian-XXXXXX) && cp -a ${original}/. $copy && echo $copy`)
}

/** The kernel gives programs for another processor to the emulator, in every folder and namespace. */
const EMULATE = `
  test -e /proc/sys/fs/binfmt_misc/register || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  test -e /proc/sys/fs/binfmt_misc/qemu-aarch64 || cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register`

/** The mirror and the way to the registry of npm are those of this machine. */
function bootstrap(suite: string, processor: Debian['processor'], root: string): string {
  const node = `node-linux-${processor ?? process.arch}`
  return `
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -1 || true)
    unshare --mount debootstrap --variant=minbase --include=libatomic1 ${processor ? `--arch=${processor}` : ''} ${suite} ${root} $mirror
    npm install --prefix ${root}/opt --no-save --force --ignore-scripts --cpu=${processor ?? process.arch} ${node}@20 npm@10
    ln -s /opt/node_modules/${node}/bin/node ${root}/usr/local/bin/node
    ln -s /opt/node_modules/npm/bin/npm-cli.js ${root}/usr/local/bin/npm
    cp --dereference /etc/resolv.conf /etc/hosts ${root}/etc
    mkdir -p ${root}/etc/ssl/certs ${root}/usr/local/etc
    cp /etc/ssl/certs/ca-certificates.crt ${root}/etc/ssl/certs
    echo "registry=$(npm config get registry)" > ${root}/opt/node_modules/npm/npmrc
    echo "cafile=/etc/ssl/certs/ca-certificates.crt" >> ${root}/opt/node_modules/npm/npmrc
    chroot ${root} useradd --create-home ann
    for home in root home/ann; do
      mkdir ${root}/$home/hearth
      git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory=${root}/$home/hearth
    done
    chroot ${root} chown -R ann: /home/ann
    chmod 700 ${root}/root ${root}/home/ann`
}

/**
 * Runs a line in the folder of a user's checkout. It gets the system as its root, not as a folder that it is locked into: there, the kernel
 * allows no user namespaces. Its mounts end with its processes.
 */
export function inDebian(root: string, user: User, line: string): WatchedOutput & { interrupt: () => void } {
  const home = user === 'root' ? '/root' : `/home/${user}`
  const child = spawn('unshare', ['--mount', 'bash', '-euc', ENTER, 'enter', root, user, home, line], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return { ...watchOutput(child), interrupt: () => void process.kill(-child.pid!, 'SIGINT') }
}

const ENTER = `
  mount --bind $1 $1
  cd $1
  for place in dev proc sys; do mount --rbind /$place $place; done
  pivot_root . mnt
  umount --lazy mnt
  exec chroot --userspec=$2 . /usr/bin/env -i HOME=$3 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 sh -c "cd && cd hearth && $4"`
