/** The environment variable with which a part knows its launcher: the id of the launcher's process. */
export const LAUNCHER_VARIABLE = 'HEARTH_LAUNCHER'
