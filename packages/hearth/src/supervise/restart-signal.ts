const hasSignals = process.platform !== 'win32'

/** Asks a running Hearth to replace its gateways and its device one after the other, so that no request fails. */
export const REPLACE_SIGNAL: NodeJS.Signals | undefined = hasSignals ? 'SIGUSR2' : undefined

/** Asks it to stop all parts and start again in the same process, so whatever supervises it notices nothing. */
export const RESTART_SIGNAL: NodeJS.Signals | undefined = hasSignals ? 'SIGUSR1' : undefined
