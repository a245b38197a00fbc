// How large a schema can be. Everything later has limits of its own, so these only keep reading it short.

export const MAX_DEPTH = 32
export const MAX_NODES = 2000
export const MAX_ENUM_VALUES = 5000
/** In characters, without annotations. */
export const MAX_TEXT = 128 * 1024
