// README's two commands on a small Debian: as root and as an ordinary user, each in a closed home.

import { freePort } from '@hearth/gateway/local-servers'
import { enter, makeDebian, NPM_CACHE, runIn, type Debian } from './debian.ts'
import { bash, type Machine } from './machine.ts'

interface NewUser extends Debian {
  name: string
  what: string
  user: 'root' | 'ann'
  /** What `npm start` says instead of starting. */
  stop?: RegExp
  /** Debian's package that this one lacks. */
  lacks?: string
}

const MODEL = '--model packages/device/tiny-model/tiny.gguf'
const OF_SHELL_AFTER_CTRL_C = 130
const LACKS_LIBRARY = /no libatomic\.so\.1, which Node needs\. .*apt install libatomic1/
const OLD_SYSTEM = /The engine needs glibc 2\.34, and this system has 2\.31/

const MACHINES: readonly NewUser[] = [
  { name: 'debian-12-root', what: 'a small Debian 12, as root', suite: 'bookworm', user: 'root' },
  { name: 'debian-12-user', what: 'a small Debian 12, as an ordinary user', suite: 'bookworm', user: 'ann' },
  {
    name: 'debian-12-lacking',
    what: 'a small Debian 12 without libatomic1',
    suite: 'bookworm',
    user: 'ann',
    lacks: 'libatomic1',
    stop: LACKS_LIBRARY,
  },
  { name: 'debian-13-root', what: 'a small Debian 13, as root', suite: 'trixie', user: 'root' },
  { name: 'debian-13-user', what: 'a small Debian 13, as an ordinary user', suite: 'trixie', user: 'ann' },
  { name: 'debian-11-root', what: 'a small Debian 11, as root', suite: 'bullseye', user: 'root', stop: OLD_SYSTEM },
  {
    name: 'debian-11-user',
    what: 'a small Debian 11, as an ordinary user',
    suite: 'bullseye',
    user: 'ann',
    stop: OLD_SYSTEM,
  },
  { name: 'arm64', what: 'a small Debian 13 for arm64, emulated', suite: 'trixie', user: 'ann', processor: 'arm64' },
]

export const NEW_USERS: readonly Machine[] = MACHINES.map((machine) => ({ ...machine, run: () => install(machine) }))

async function install(machine: NewUser): Promise<string> {
  const root = await makeDebian(machine)
  const { user, lacks, stop } = machine
  const home = user === 'root' ? '/root' : '/home/ann'
  await bash(`
    ${user === 'root' ? '' : `chroot ${root} useradd --create-home ann`}
    ${lacks === undefined ? '' : `chroot ${root} dpkg --purge ${lacks}`}
    mkdir ${root}${home}/hearth
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory=${root}${home}/hearth
    chroot ${root} chown -R ${user}: ${home}
    chmod 700 ${root}${home}
    chmod -R a+rwX ${NPM_CACHE[0]}`)
  const inside = (line: string) => ({
    root,
    user,
    environment: [`HOME=${home}`],
    lines: `cd ~/hearth && ${line}`,
    mounts: [NPM_CACHE],
  })
  // npm itself would take an hour emulated, and gets the same packages outside.
  if (machine.processor === undefined) await runIn(inside('npm ci'))
  else await installOutside(machine.processor, `${root}${home}/hearth`)
  if (stop !== undefined) await expectStop(inside(`npm start -- ${MODEL}`), stop)
  const seen = lacks === undefined ? await start(inside, stop === undefined) : 'says which package to install'
  await bash(`rm -rf --one-file-system ${root}`)
  return seen
}

async function installOutside(processor: string, folder: string): Promise<void> {
  await bash(`
    cd ${folder}
    npm ci --os=linux --cpu=${processor}
    chown -R --no-dereference --reference=. .`)
}

async function expectStop(entry: Parameters<typeof enter>[0], sentence: RegExp): Promise<void> {
  const { exited, output } = enter(entry)
  if ((await exited) === 0 || !sentence.test(output())) throw new Error(output())
}

async function start(inside: (line: string) => Parameters<typeof enter>[0], hasModel: boolean): Promise<string> {
  await using hearth = enter(inside(`npm start -- --port ${await freePort()} ${hasModel ? MODEL : '--no-device'}`))
  await hearth.heard(/Press Ctrl-C to stop/)
  if (hasModel) {
    const [curl] = await hearth.heard(/^ {2}curl .*$/m)
    const { choices } = JSON.parse(await bash(curl)) as { choices: { message: { content: string } }[] }
    if (choices[0]!.message.content === '') throw new Error(`no answer\n${hearth.output()}`)
  }
  hearth.interrupt()
  const code = await hearth.exited
  if (code !== OF_SHELL_AFTER_CTRL_C || !hearth.output().includes('Stopping…'))
    throw new Error(`npm start ended with ${code}\n${hearth.output()}`)
  return hasModel
    ? 'installs, starts, answers, stops'
    : 'says that the engine needs a newer system; without models, starts and stops'
}
