// The README's command on a small system with an empty home, up to an answer: as root and as an ordinary user, with several outer Nodes, and in
// surroundings that people have.

import { freePort } from '@hearth/gateway/local-servers'
import { enter, runIn, type Entry } from './enter.ts'
import { bash } from '../harness/processes/bash.ts'
import type { Machine } from './machine.ts'
import { INSTALL, START } from './readme-command.ts'
import { isHere, startRecordingProxy } from './recording-proxy.ts'
import { makeSystem, NPM_CACHE, type System } from './system.ts'

interface NewUser extends System {
  name: string
  what: string
  /** Defaults to an ordinary user. */
  user?: 'root'
  /** What the start says instead of starting. */
  stop?: RegExp
  /** The system's package that this one lacks. */
  lacks?: string
  /** Of the checkout, in the home. */
  folder?: string
  temporary?: string
  umask?: string
  /** One core and 2 GB. */
  isSmall?: boolean
  /** Without any network, from the end of the installation on. */
  isOffline?: boolean
  /** The environment names a proxy, and no exceptions. */
  hasProxy?: boolean
}

type Inside = (line: string, more?: Partial<Entry>) => Entry

const MODEL = '--model packages/device/tiny-model/tiny.gguf'
const OF_SHELL_AFTER_CTRL_C = 130
const LACKS_LIBRARY = /no libatomic\.so\.1, which Node needs\. .*apt install libatomic1/
const OLD_SYSTEM = /The engine needs glibc 2\.34, and this system has 2\.31/

const SYSTEMS: readonly NewUser[] = [
  { name: 'debian-12-root', what: 'a small Debian 12, as root', suite: 'bookworm', user: 'root' },
  { name: 'debian-12-user', what: 'a small Debian 12, as an ordinary user', suite: 'bookworm' },
  {
    name: 'debian-12-lacking',
    what: 'a small Debian 12 without `libatomic1`',
    suite: 'bookworm',
    lacks: 'libatomic1',
    stop: LACKS_LIBRARY,
  },
  { name: 'debian-13-root', what: 'a small Debian 13, as root', suite: 'trixie', user: 'root' },
  { name: 'debian-13-user', what: 'a small Debian 13, as an ordinary user', suite: 'trixie' },
  { name: 'debian-11-root', what: 'a small Debian 11, as root', suite: 'bullseye', user: 'root', stop: OLD_SYSTEM },
  { name: 'debian-11-user', what: 'a small Debian 11, as an ordinary user', suite: 'bullseye', stop: OLD_SYSTEM },
  { name: 'ubuntu-22.04', what: 'a small Ubuntu 22.04, as an ordinary user', suite: 'jammy' },
  { name: 'ubuntu-24.04', what: 'a small Ubuntu 24.04, as an ordinary user', suite: 'noble' },
  { name: 'arm64', what: 'a small Debian 13 for arm64, emulated', suite: 'trixie', processor: 'arm64' },
]

const NODES = (['18.0', '20.9', '20.19', '22.12', 24, 26] as const).map((node): NewUser => ({
  name: `node-${node}`,
  what: `Node ${node} and its npm, on a small Ubuntu 24.04`,
  suite: 'noble',
  node,
}))

const SURROUNDINGS: readonly NewUser[] = [
  {
    name: 'spaces',
    what: 'a checkout and a `TMPDIR` with spaces in their paths, umask 077',
    suite: 'bookworm',
    folder: 'Hearth für alle',
    temporary: 'for now',
    umask: '077',
  },
  { name: 'small', what: 'one core and 2 GB', suite: 'bookworm', isSmall: true },
  { name: 'offline', what: 'no network once the packages are installed', suite: 'bookworm', isOffline: true },
  { name: 'proxy', what: '`http_proxy` and `https_proxy`, without `no_proxy`', suite: 'bookworm', hasProxy: true },
]

export const NEW_USERS: readonly Machine[] = [...SYSTEMS, ...NODES, ...SURROUNDINGS].map((machine) => ({
  ...machine,
  run: () => (machine.hasProxy === true ? behindProxy(machine) : tryOut(machine)),
}))

async function tryOut(machine: NewUser, environment: readonly string[] = []): Promise<string> {
  const { lacks, stop, isOffline = false } = machine
  const root = await makeSystem(machine)
  const inside = await moveIn(root, machine, environment)
  await install(machine, inside)
  if (stop !== undefined) await expectStop(inside(`${START} -- ${MODEL}`), stop)
  const seen =
    lacks === undefined ? await start(inside, stop === undefined, isOffline) : 'says which package to install'
  await bash(`rm -rf --one-file-system ${root}`)
  return seen
}

/** The user with this checkout as a clone would be, and nothing else. */
async function moveIn(root: string, machine: NewUser, environment: readonly string[]): Promise<Inside> {
  const { user = 'ann', lacks, folder = 'hearth', temporary = '', umask = '022', isSmall = false } = machine
  const home = user === 'root' ? '/root' : '/home/ann'
  await bash(`
    ${user === 'root' ? '' : `chroot ${root} useradd --create-home ann`}
    ${lacks === undefined ? '' : `chroot ${root} dpkg --purge ${lacks}`}
    mkdir '${root}${home}/${folder}' ${temporary === '' ? '' : `'${root}${home}/${temporary}'`}
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory='${root}${home}/${folder}'
    chroot ${root} chown -R ${user}: ${home}
    chmod 700 ${root}${home}
    chmod -R a+rwX ${NPM_CACHE[0]}`)
  return (line, more) => ({
    root,
    user,
    environment: [`HOME=${home}`, ...(temporary === '' ? [] : [`TMPDIR=${home}/${temporary}`]), ...environment],
    lines: `umask ${umask}; cd ~/'${folder}' && ${line}`,
    mounts: [NPM_CACHE],
    isSmall,
    ...more,
  })
}

/** npm itself would take an hour emulated, and gets the same packages outside. */
async function install({ processor }: NewUser, inside: Inside): Promise<void> {
  if (processor === undefined) return void (await runIn(inside(INSTALL)))
  await bash(`
    cd ${inside('').root}/home/ann/hearth
    ${INSTALL} --os=linux --cpu=${processor}
    chown -R --no-dereference --reference=. .`)
}

async function expectStop(entry: Entry, sentence: RegExp): Promise<void> {
  const { exited, output } = enter(entry)
  if ((await exited) === 0 || !sentence.test(output())) throw new Error(output())
}

async function start(inside: Inside, hasModel: boolean, isOffline: boolean): Promise<string> {
  const words = `--port ${await freePort()} ${hasModel ? MODEL : '--no-device'}`
  await using hearth = enter(inside(`${START} -- ${words}`, { isOffline }))
  await hearth.heard(/Press Ctrl-C to stop/)
  if (hasModel) {
    const [curl] = await hearth.heard(/^ {2}curl .*$/m)
    const { choices } = JSON.parse(await hearth.reach(curl)) as { choices: { message: { content: string } }[] }
    if (choices[0]!.message.content === '') throw new Error(`no answer\n${hearth.output()}`)
  }
  hearth.interrupt()
  const code = await hearth.exited
  if (code !== OF_SHELL_AFTER_CTRL_C || !hearth.output().includes('Stopping…'))
    throw new Error(`${START} ended with ${code}\n${hearth.output()}`)
  return hasModel
    ? 'installs, starts, answers, stops'
    : 'says that the engine needs a newer system; without models, starts and stops'
}

/** npm gets its packages through the proxy. Nothing that is meant for this machine may come there. */
async function behindProxy(machine: NewUser): Promise<string> {
  await using proxy = await startRecordingProxy()
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => `${name}=${proxy.origin}`)
  const seen = await tryOut(machine, [...names, 'npm_config_cache=/home/ann/.npm'])
  const hosts = [...proxy.seen]
  if (hosts.length === 0) throw new Error('npm asked nothing through the proxy')
  if (hosts.some(isHere)) throw new Error(`The proxy was asked for this machine: ${hosts.join(', ')}`)
  return `${seen}; npm asks through the proxy, and nothing for this machine comes there`
}
