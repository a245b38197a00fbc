// A machine that can run Hearth, and ways to spoil it: for tests, and for the page that lists what stops a start.

import type { Machine, Needs } from '../machine/find-stops.ts'
import type { FolderState } from '../machine/folders.ts'
import { DATABASE_ROOM, DEVICE_MEMORY, GATEWAY_MEMORY, STARTER_ROOM } from '../machine/room.ts'

export const FIRST_START: Needs = {
  parts: { runsModels: true, hasDatabase: true },
  folders: [
    { path: '/srv/hearth', bytes: 0, option: '--data' },
    { path: '/srv/hearth/gateway', bytes: DATABASE_ROOM, option: '--data' },
    { path: '/srv/hearth/device', bytes: STARTER_ROOM, option: '--data' },
  ],
  memoryBytes: GATEWAY_MEMORY + DEVICE_MEMORY,
}

export const FOLDER: FolderState = { nearest: '/srv', problem: undefined, owner: 'kim', disk: 1, freeBytes: 1e9 }

export const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n'

export function standInMachine(
  system: Partial<Machine['system']> = {},
  folder: Partial<FolderState> = {},
  rest: Partial<Machine> = {},
): Machine {
  return {
    system: {
      platform: 'linux',
      arch: 'x64',
      glibc: '2.36',
      missing: [],
      hasNewStandardLibrary: true,
      release: DEBIAN,
      isRoot: false,
      ...system,
    },
    folders: { user: 'kim', look: () => ({ ...FOLDER, ...folder }) },
    memoryBytes: 8e9,
    openFiles: 1024,
    ...rest,
  }
}
