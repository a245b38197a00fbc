// A small Debian in a folder, with Node and npm: what a new user's server or container has.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { watchOutput, type WatchedOutput } from '../harness/processes/watch-output.ts'
import { bash, KEPT, WORK } from './machine.ts'

export interface Debian {
  suite: 'bullseye' | 'bookworm' | 'trixie'
  /** Another one than this machine's is emulated. */
  processor?: 'arm64'
  /** Defaults to the oldest that installs Hearth. */
  node?: keyof typeof NPM_OF_NODE
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

export interface Entered extends WatchedOutput, AsyncDisposable {
  /** SIGINT to all processes, as Ctrl-C does. */
  interrupt: () => void
  /** SIGTERM to the first one alone, as a container's host does. */
  end: () => void
  /** Other lines among the same processes, as `docker exec` runs them. */
  runBeside: (lines: string) => Promise<string>
}

/** Ends what hangs. Emulated, on a busy machine, a start takes half an hour. */
const EMULATED_MS = 3_600_000
const NPM_OF_NODE = { 20: 10, 26: 11 }

const running = new Set<Entered>()
process.once('exit', () => running.forEach((entered) => void entered[Symbol.asyncDispose]()))

/** A copy of what npm has downloaded on this machine, which every user may change. */
export const NPM_CACHE = [join(WORK, 'npm-cache'), '/opt/npm-cache'] as const

/** Makes the system once on this machine, and returns the folder of a copy. */
export async function makeDebian({ suite, processor, node = 20 }: Debian): Promise<string> {
  const original = join(KEPT, `${suite}-${processor ?? process.arch}`)
  if (processor !== undefined) await bash(EMULATE)
  if (!existsSync(original)) {
    // Once more, from the start, if a download failed.
    await bash(bootstrap(suite, processor, original)).catch(() => bash(bootstrap(suite, processor, original)))
  }
  const copy = await bash(`copy=$(mktemp -d ${WORK}/debian-XXXXXX) && cp -a ${original}/. $copy && echo $copy`)
  await bash(installNode(`node-linux-${processor ?? process.arch}`, node, processor ?? process.arch, copy))
  return copy
}

/** The kernel gives programs for another processor to the emulator, in every folder. */
const EMULATE = `
  test -e /proc/sys/fs/binfmt_misc/register || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  test -e /proc/sys/fs/binfmt_misc/qemu-aarch64 || cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register`

/** From the mirror of this machine. */
function bootstrap(suite: string, processor: Debian['processor'], root: string): string {
  return `
    rm -rf --one-file-system ${root}.new
    mkdir -p ${KEPT}
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -1 || true)
    unshare --mount debootstrap --variant=minbase --include=libatomic1 ${processor ? `--arch=${processor}` : ''} ${suite} ${root}.new $mirror
    mv ${root}.new ${root}`
}

/** With this machine's way to npm's registry. */
function installNode(name: string, version: keyof typeof NPM_OF_NODE, processor: string, root: string): string {
  return `
    npm install --prefix ${root}/opt --no-save --force --ignore-scripts --cpu=${processor} ${name}@${version} npm@${NPM_OF_NODE[version]}
    ln -s /opt/node_modules/${name}/bin/node ${root}/usr/local/bin/node
    ln -s /opt/node_modules/npm/bin/npm-cli.js ${root}/usr/local/bin/npm
    cp --dereference /etc/resolv.conf /etc/hosts ${root}/etc
    certificates=/etc/ssl/certs/ca-certificates.crt
    mkdir -p ${root}/etc/ssl/certs ${root}${NPM_CACHE[1]} ${NPM_CACHE[0]}
    test ! -e $certificates || cp $certificates ${root}$certificates
    printf '%s\\n' registry=$(npm config get registry) cafile=$certificates cache=${NPM_CACHE[1]} prefer-offline=true > ${root}/opt/node_modules/npm/npmrc
    test -e ${NPM_CACHE[0]}/_cacache || cp -r $(npm config get cache)/_cacache ${NPM_CACHE[0]}`
}

/**
 * The lines get the folder as their root, not as one that they are locked into, where the kernel would allow no user namespaces. Their first
 * process is the first of a process namespace: what they mount and start ends with it.
 */
export function enter({ root, mounts = [], ...entry }: Entry): Entered {
  const enter = `
    mount --bind ${root} ${root}
    cd ${root}
    for place in dev sys; do mount --rbind /$place $place; done
    mount -t proc proc proc
    ${mounts.map(([from, to]) => `mount --bind ${from} .${to}`).join('\n')}
    pivot_root . mnt
    umount --lazy mnt
    exec "$@"`
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-euc', enter, 'enter', ...wordsOf(entry)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  const watched = watchOutput(child, EMULATED_MS)
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  const signalFirst = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && first() !== '') process.kill(Number(first()), signal)
  }
  const entered: Entered = {
    ...watched,
    interrupt: () => void process.kill(-child.pid!, 'SIGINT'),
    end: () => signalFirst('SIGTERM'),
    runBeside: async (lines) => {
      const words = ['--target', first(), '--mount', '--pid', ...wordsOf({ ...entry, lines })]
      return resultOf(lines, watchOutput(spawn('nsenter', words)))
    },
    async [Symbol.asyncDispose]() {
      signalFirst('SIGKILL')
      await watched.exited
    },
  }
  running.add(entered)
  void watched.exited.then(() => running.delete(entered))
  return entered
}

function wordsOf({ user, lines, environment = [] }: Omit<Entry, 'root'>): string[] {
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
  return ['chroot', `--userspec=${user}`, '/', '/usr/bin/env', '-i', path, ...environment, 'sh', '-c', lines]
}

/** Rejects if the lines fail; resolves with what they printed. */
export async function runIn(entry: Entry): Promise<string> {
  return resultOf(entry.lines, enter(entry))
}

async function resultOf(lines: string, { exited, output }: WatchedOutput): Promise<string> {
  const code = await exited
  if (code !== 0) throw new Error(`${lines} ended with ${code}:\n${output()}`)
  return output()
}
