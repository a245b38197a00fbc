// The programs that the gateway hands out, and where their sources are.

import { DEVICE_APP, SEAL_PROGRAM, type Program } from '@hearth/command-line/install/program'

export interface Packing {
  program: Program
  /** The workspace of its sources. Its installer starts at `src/install/main.ts` there. */
  workspace: string
  description: string
  /** Files of the workspace that are packed as they are. */
  files: readonly string[]
}

export type PackingName = keyof typeof PACKINGS

export const PACKINGS = {
  device: {
    program: DEVICE_APP,
    workspace: 'packages/device',
    description: 'Hearth device app: lets this machine answer requests of your organization',
    files: ['tiny-model/tiny.gguf'],
  },
  seal: {
    program: SEAL_PROGRAM,
    workspace: 'packages/seal',
    description: 'hearth-seal: seals requests on your own machine, so that the gateway cannot read them',
    files: [],
  },
} as const satisfies Record<string, Packing>
