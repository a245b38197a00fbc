// Bounds on everything that comes from somebody else. Sizes of texts are checked before they are decoded.

export const MAX_DEVICES = 10_000
export const MAX_ADMINISTRATORS = 32
/** Programs that a list names. */
export const MAX_APPS = 64
/** Documents before it that a document names: who missed more of them has to compare by hand. */
export const MAX_PREVIOUS = 256
/** Names and IDs, in characters. */
export const MAX_NAME_LENGTH = 256
/** The text of a signed document, in UTF-8. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
export const MAX_HEADER_BYTES = 16 * 1024
/** A job is wrapped for at most this many devices. */
export const MAX_WRAPPED_KEYS = 64
/** A sealed job, as large as the link takes a job. */
export const MAX_JOB_BOX_BYTES = 48 * 1024 * 1024
/** A sealed event. As base64 it is larger than a frame of the link can be. */
export const MAX_EVENT_BOX_BYTES = 1024 * 1024
/** Attempts of one job that have delivered something. */
export const MAX_BEGUN_ATTEMPTS = 64
/** Boxes of all attempts together. */
export const MAX_BEGUN_BYTES = 8 * 1024 * 1024
/** An attempt's number is 32 bits long wherever a key depends on it. */
export const MAX_ATTEMPT = 0xff_ff_ff_ff
export const MAX_FEATURES = 64
export const MAX_PREFIXES = 64
