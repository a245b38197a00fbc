// A small Debian or Ubuntu in a folder, with Node and npm: what a new user's server or container has.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bash } from '../harness/processes/bash.ts'
import { KEPT, WORK } from './machine.ts'

export interface System {
  suite: keyof typeof DISTRIBUTIONS
  /** Another one than this machine's is emulated. */
  processor?: 'arm64'
  /** Defaults to the newest 20. */
  node?: keyof typeof NPM_OF_NODE
}

const DISTRIBUTIONS = {
  bullseye: 'Debian',
  bookworm: 'Debian',
  trixie: 'Debian',
  jammy: 'Ubuntu',
  noble: 'Ubuntu',
} as const
/** The npm that this Node came with. */
const NPM_OF_NODE = {
  '18.0': '8.6',
  20: '10',
  '20.9': '10.1',
  '20.19': '10.8',
  '22.12': '10.9',
  24: '11',
  26: '11',
} as const

/** A copy of what npm has downloaded on this machine, which every user may change. */
export const NPM_CACHE = [join(WORK, 'npm-cache'), '/opt/npm-cache'] as const

/** Makes the system once on this machine, and returns the folder of a copy. */
export async function makeSystem({ suite, processor, node = 20 }: System): Promise<string> {
  const original = join(KEPT, `${suite}-${processor ?? process.arch}`)
  if (processor !== undefined) await bash(EMULATE)
  if (!existsSync(original)) {
    const options = `--variant=minbase --include=libatomic1 ${processor ? `--arch=${processor}` : ''}`
    const lines = BOOTSTRAPS[DISTRIBUTIONS[suite]](`unshare --mount debootstrap ${options}`, suite, original)
    // Once more, from the start, if a download failed.
    await bash(lines).catch(() => bash(lines))
  }
  const copy = await bash(`copy=$(mktemp -d ${WORK}/system-XXXXXX) && cp -a ${original}/. $copy && echo $copy`)
  await bash(installNode(`node-linux-${processor ?? process.arch}`, node, processor ?? process.arch, copy))
  return copy
}

/** The kernel gives programs for another processor to the emulator, in every folder. */
const EMULATE = `
  test -e /proc/sys/fs/binfmt_misc/register || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  test -e /proc/sys/fs/binfmt_misc/qemu-aarch64 || cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register`

const BOOTSTRAPS = { Debian: bootstrapDebian, Ubuntu: bootstrapUbuntu }

/** From the mirror of this machine. */
function bootstrapDebian(debootstrap: string, suite: string, root: string): string {
  return `
    rm -rf --one-file-system ${root}.new
    mkdir -p ${KEPT}
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -1 || true)
    ${debootstrap} ${suite} ${root}.new $mirror
    mv ${root}.new ${root}`
}

/** Debian has neither Ubuntu's keys nor, in its older releases, the name of a new Ubuntu; `gutsy` is debootstrap's script for all of them. */
function bootstrapUbuntu(debootstrap: string, suite: string, root: string): string {
  const keys = `${root}.keys`
  return `
    rm -rf --one-file-system ${root}.new ${keys}
    mkdir -p ${keys}
    curl --silent --show-error --fail --retry 3 --output ${keys}/keys.deb ${UBUNTU}/pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb
    echo '${UBUNTU_KEYS_SHA256}  ${keys}/keys.deb' | sha256sum --check --quiet
    dpkg-deb --extract ${keys}/keys.deb ${keys}
    ${debootstrap} --keyring=${keys}/usr/share/keyrings/ubuntu-archive-keyring.gpg ${suite} ${root}.new ${UBUNTU} gutsy
    mv ${root}.new ${root}
    rm -r ${keys}`
}

const UBUNTU = 'http://archive.ubuntu.com/ubuntu'
const UBUNTU_KEYS_SHA256 = '36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8'

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
    test -e ${NPM_CACHE[0]}/_cacache || (mkdir ${NPM_CACHE[0]}/_cacache && cp -r $(npm config get cache)/_cacache/{content,index}-* ${NPM_CACHE[0]}/_cacache)`
}
