// What a machine needs and what stops a start, as the check itself says it.

import { formatBytes } from '@hearth/command-line/format'
import { findStops, OPEN_FILES, sentenceOf, type Machine } from '@hearth/command-line/machine/find-stops'
import {
  ENGINE_NEEDS,
  howToInstall,
  LIBRARIES,
  NODE_NEEDS,
  WINDOWS_LIBRARIES,
} from '../../packages/command-line/src/machine/libraries.js'
import { DATABASE_ROOM, DEVICE_MEMORY, GATEWAY_MEMORY, STARTER_ROOM } from '@hearth/command-line/machine/room'
import { FIRST_START, standInMachine } from '@hearth/command-line/testing/stand-in-machine'
import { list, table } from './markdown.ts'

export function machineNeeds(): string {
  const [gateway, device] = [DATABASE_ROOM, STARTER_ROOM]
  return table(
    ['', 'For the gateway alone', 'With models'],
    [
      ['Processor', 'x64 or arm64', 'the same'],
      ['Linux: glibc', NODE_NEEDS.glibc, ENGINE_NEEDS.glibc],
      [
        'Linux: libraries',
        LIBRARIES.join(', '),
        `the same; the C++ library from GCC 12 (${ENGINE_NEEDS.standardLibrary})`,
      ],
      ['Windows: libraries', WINDOWS_LIBRARIES.join(', '), 'the same'],
      ['Disk for a first start', formatBytes(gateway), `${formatBytes(gateway + device)}, and the size of your models`],
      [
        'Memory',
        formatBytes(GATEWAY_MEMORY),
        `${formatBytes(GATEWAY_MEMORY + DEVICE_MEMORY)}, and the size of your models`,
      ],
      ['Open files per process', String(OPEN_FILES), 'the same'],
    ],
  )
}

const RELEASES = { 'Debian, Ubuntu': 'debian', 'Fedora, RHEL': 'fedora', openSUSE: 'suse', Arch: 'arch' }

export function machineCommands(): string {
  return table(
    ['System', 'Command'],
    Object.entries(RELEASES).map(([system, id]) => {
      const remedy = howToInstall(['libatomic.so.1'], { release: `ID=${id}\n`, isRoot: false })
      return [system, `\`${remedy.replace(/^.*: /, '')}\``]
    }),
  )
}

/** One for each code, in the order in which they are looked for. */
const SPOILED: readonly Machine[] = [
  standInMachine({ arch: 'riscv64' }),
  standInMachine({ glibc: undefined }),
  standInMachine({ glibc: '2.31' }),
  standInMachine({ missing: ['libatomic.so.1'] }),
  standInMachine({ platform: 'win32', glibc: undefined, missing: ['vcruntime140_1.dll', 'msvcp140.dll'] }),
  standInMachine({}, { problem: 'read-only' }),
  standInMachine({}, { problem: 'not a folder' }),
  standInMachine({}, { problem: 'no permission', nearest: '/srv/hearth', owner: 'root' }),
  standInMachine({}, { freeBytes: 60e6 }),
  standInMachine({}, {}, { memoryBytes: 256e6 }),
  standInMachine({}, {}, { openFiles: 64 }),
]

export function machineStops(): string {
  const stops = SPOILED.flatMap((machine) => findStops(FIRST_START, machine))
  return list(stops.map((stop) => `\`${stop.code}\`: ${sentenceOf(stop)}`))
}
