import { fileURLToPath } from 'node:url'

export const CONSOLE = fileURLToPath(new URL('../../../packages/console/', import.meta.url))

/** The files that the gateway serves, and the repository keeps. */
export const BUILT = `${CONSOLE}built`
