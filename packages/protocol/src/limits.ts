// Numbers both ends of the link must agree on. Durations in milliseconds, sizes in bytes.

/** A larger WebSocket message closes the link. */
export const MAX_FRAME_BYTES = 1024 * 1024
/** A job whose JSON is longer travels as parts of this size, so that pings are never stuck behind a prompt. */
export const JOB_PART_BYTES = 128 * 1024
/** How long either end waits for `hello` or `welcome`. */
export const GREETING_MS = 10_000
/** How long the gateway waits for `job-accept` or `job-refuse`. */
export const ACCEPT_MS = 10_000
/** Silence of this many ping intervals means the other end is gone. */
export const MISSED_PINGS = 3
/** Deltas of one job may be held back this long, or until they reach DELTA_BYTES, to leave in one frame. */
export const DELTA_MS = 20
export const DELTA_BYTES = 4096
export const MAX_MODELS_PER_DEVICE = 256
export const MAX_SLOTS_PER_MODEL = 64
export const MAX_NAME_LENGTH = 256
/** More tokens in one job are a lie or a fault, and must not reach the counters. */
export const MAX_JOB_TOKENS = 1_000_000_000
