// systemd as the first process of a namespace, with the service unit of deploy/ as its only service. What it mounts and starts ends with it.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchOutput } from '../harness/processes/watch-output.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const SYSTEMD = '/lib/systemd/systemd'

const UNIT = 'hearth-gateway.service'
/** What services need by default. There is nothing to do for them here. */
const TARGETS = ['sysinit', 'basic', 'shutdown', 'network-online']
const USER = 'hearth:x:4711:4711::/var/lib/hearth:/bin/sh'

export interface BootedSystemd extends AsyncDisposable {
  /** Runs lines of sh beside the service, as `user`. Resolves with what they print; rejects if they fail. */
  run: (lines: string, user?: string) => Promise<string>
}

/** Its gateway isn't started again by itself, and has these settings in its environment file. */
export async function bootSystemd(settings: Readonly<Record<string, string>>): Promise<BootedSystemd> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-systemd-'))
  writeUnits(join(folder, 'units'))
  writeFileSync(
    join(folder, 'gateway.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const child = spawn('bash', ['-euc', ENTER, 'enter', folder, ROOT], { stdio: ['ignore', 'pipe', 'pipe'] })
  const { heard, exited } = watchOutput(child)
  const first = Number((await heard(/first process: (\d+)/))[1])
  await runBeside(first, START, 'root')
  return {
    run: async (lines, user = 'root') => runBeside(first, lines, user),
    async [Symbol.asyncDispose]() {
      process.kill(first, 'SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeUnits(units: string): void {
  mkdirSync(units)
  for (const name of TARGETS) writeFileSync(join(units, `${name}.target`), '[Unit]\nDefaultDependencies=no\n')
  const unit = readFileSync(join(ROOT, 'deploy/systemd', UNIT), 'utf8')
  const here = unit
    .replaceAll('/etc/hearth/gateway.env', '/run/hearth-test/gateway.env')
    .replace(/^RestartSec=.*$/m, 'RestartSec=1h')
    // There is no journal.
    .replace('[Service]\n', '[Service]\nStandardOutput=append:/run/hearth-test/service.log\nStandardError=inherit\n')
  writeFileSync(join(units, UNIT), here)
  writeFileSync(join(units, 'test.target'), `[Unit]\nDefaultDependencies=no\nWants=${UNIT}\n`)
}

/** A control group of its own, so that systemd moves no process of this machine; and the places that the unit names. */
const ENTER = `
  folder=$1 root=$2 name=hearth-test-$$
  for tree in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
    if test -w $tree/cgroup.procs && mkdir -p $tree/$name 2>/dev/null; then echo $$ > $tree/$name/cgroup.procs; fi
  done
  trap 'find /sys/fs/cgroup -path "*/$name*" -depth -type d -exec rmdir {} + 2>/dev/null' EXIT
  unshare --mount --pid --fork --cgroup --uts --ipc bash -euc '
    read -r pid _ < /proc/self/stat; echo "first process: $pid"
    mount -t proc proc /proc
    for place in /run /opt /var/lib; do mount -t tmpfs tmpfs $place; done
    mkdir -p /run/lock /run/hearth-test /opt/hearth
    mount --rbind "$1" /run/hearth-test
    mount --rbind "$2" /opt/hearth
    (cat /etc/passwd; echo ${USER}) > /run/passwd; mount --bind /run/passwd /etc/passwd
    (cat /etc/group; echo hearth:x:4711:) > /run/group; mount --bind /run/group /etc/group
    if test -d /sys/fs/cgroup/systemd; then
      mount -t tmpfs tmpfs /sys/fs/cgroup
      mkdir /sys/fs/cgroup/systemd /sys/fs/cgroup/unified
      mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
      mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
    else
      mount -t cgroup2 cgroup2 /sys/fs/cgroup
    fi
    export container=test SYSTEMD_UNIT_PATH=/run/hearth-test/units
    exec ${SYSTEMD} --system --unit=test.target --show-status=no
  ' enter "$folder" "$root"`

/** Returns when the gateway has said that it is ready. */
const START = `until systemctl show --property=Version > /dev/null 2>&1; do sleep 0.1; done; systemctl start ${UNIT}`

async function runBeside(first: number, lines: string, user: string): Promise<string> {
  const words = ['--target', String(first), '--mount', '--pid', '--wd=/']
  const command = `exec setpriv --reuid="$1" --regid="$(id -g "$1")" --clear-groups env HOME=/run/home-"$1" sh -c "$2"`
  const child = spawn('nsenter', [...words, 'sh', '-c', command, 'sh', user, lines], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { output, exited } = watchOutput(child)
  const code = await exited
  if (code !== 0) throw new Error(`${lines} ended with ${code}:\n${output()}`)
  return output().trim()
}
