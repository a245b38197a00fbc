/** Asks a running Hearth to stop its parts and start again in the same process, so whatever supervises it notices nothing. */
export const RESTART_SIGNAL: NodeJS.Signals | undefined = process.platform === 'win32' ? undefined : 'SIGUSR2'
