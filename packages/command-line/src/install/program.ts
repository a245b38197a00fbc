// The programs that a gateway hands out: what differs between them when one is packed, downloaded or installed.

export interface Program {
  /** Its command and the name of its package. */
  command: string
  /** In messages. */
  title: string
  /** The path at the gateway under which its files are. */
  path: '/device/v1' | '/seal/v1'
  /** The variable that names its state folder, and the folder in the user's home that it has otherwise. */
  homeVariable: string
  homeFolder: string
  /** It comes with the engine. */
  runsModels: boolean
  /** A new version is used only if this command succeeds. */
  trial: readonly string[]
  /** Size of the program with its dependencies and its Node, with some room to spare. */
  neededBytes: number
  downloadSize: string
}

export const DEVICE_APP: Program = {
  command: 'hearth-device',
  title: 'device app',
  path: '/device/v1',
  homeVariable: 'HEARTH_DEVICE_HOME',
  homeFolder: '.hearth-device',
  runsModels: true,
  // Runs the engine for real: packages for the wrong platform or a missing system library show up here, not later.
  trial: ['doctor', '--engine'],
  neededBytes: 500e6,
  downloadSize: 'about 115 MB',
}

export const SEAL_PROGRAM: Program = {
  command: 'hearth-seal',
  title: 'sealing program',
  path: '/seal/v1',
  homeVariable: 'HEARTH_SEAL_HOME',
  homeFolder: '.hearth-seal',
  runsModels: false,
  trial: ['--version'],
  neededBytes: 300e6,
  downloadSize: 'about 50 MB',
}
