/** Ends a wait for something that never happens. It must not measure anything: a busy machine can take many times longer than a quiet one. */
export const DEADLINE_MS = 150_000
