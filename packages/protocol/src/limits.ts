// Limits that both ends of the link must agree on. Durations are in milliseconds, sizes in bytes.

/** A larger WebSocket message closes the link. */
export const MAX_FRAME_BYTES = 1024 * 1024
/**
 * A device that sends more than this before its `hello` is complete is disconnected. Room for 256
 * models with long names.
 */
export const MAX_HELLO_BYTES = 256 * 1024
/**
 * A WebSocket message in more fragments closes the link: each fragment takes far more memory than
 * its bytes. Room for pieces of 2 KiB.
 */
export const MAX_FRAGMENTS = 512
/**
 * A job whose JSON is longer is sent in parts of this size, so that a ping never waits behind a
 * whole prompt.
 */
export const JOB_PART_BYTES = 128 * 1024
/** The gateway accepts bodies of 20 MiB; escaping may make them longer. */
export const MAX_JOB_PARTS = Math.ceil((64 * 1024 * 1024) / JOB_PART_BYTES)
/** How long either end waits for `hello` or `welcome`. */
export const GREETING_MS = 10_000
/** How long the gateway waits for `job-accept` or `job-refuse`. */
export const ACCEPT_MS = 10_000
/** After this many silent ping intervals, the other end counts as gone. */
export const MISSED_PINGS = 3
/**
 * Text of one job may be held back this long, or until it reaches DELTA_BYTES, to be sent in one
 * frame: too short for anyone to see.
 */
export const DELTA_MS = 8
export const DELTA_BYTES = 4096
export const MAX_MODELS_PER_DEVICE = 256
/** In `slots`; what is more is in `moreSlots`, because older gateways reject more in `slots`. */
export const MAX_SLOTS_PER_MODEL = 64
export const MAX_MORE_SLOTS = 192
/** Both together. */
export const MAX_SLOTS = MAX_SLOTS_PER_MODEL + MAX_MORE_SLOTS
/** Even a very large model on a slow disk loads within an hour. */
export const MAX_LOAD_MS = 60 * 60_000
/** Requests of one model that a device rejects because they crashed its engine. */
export const MAX_BLOCKED_REQUESTS = 1_000
export const MAX_NAME_LENGTH = 256
/** An id that a client gave its request. */
export const MAX_REQUEST_ID_LENGTH = 128
/** Each text with which a machine describes itself. */
export const MAX_MACHINE_TEXT = 128
/** What a machine takes, and what it may have taken since midnight: more is a lie or a bug. */
export const MAX_WATTS = 1_000_000
export const MAX_WATT_HOURS = 24 * MAX_WATTS
/** Both together fit into one frame, however they are escaped. */
export const MAX_SYSTEM_MESSAGE_LENGTH = 16_384
export const MAX_CHAT_TEMPLATE_LENGTH = 32_768
/** Where a model comes from: a name, a reference to a hub, or an address. */
export const MAX_SOURCE_LENGTH = 2_048
/**
 * Models that a search on the hub finds, and quantizations that one of them has: as many as people
 * look through.
 */
export const MAX_FOUND = 40
/** Local servers of one device. */
export const MAX_SERVERS = 16
/** Files of one split model. */
export const MAX_FILES_PER_MODEL = 512
/**
 * A model is copied between devices in pieces of at most this size. Even a slow line sends one
 * within a minute.
 */
export const MAX_PIECE_BYTES = 4 * 1024 * 1024
/** The reason why a back end can't be used, and the remedy. */
export const MAX_REASON_LENGTH = 1_000
export const MAX_BACKEND_PROBLEMS = 16
/** More tokens in one job are a lie or a bug, and must not reach the counters. */
export const MAX_JOB_TOKENS = 1_000_000_000
/** A reply with more tokens, all choices together, is not continued by another device. */
export const MAX_RECOVERY_TOKENS = 131_072
/** Choices of one job, numbered from 0. */
export const MAX_CHOICES = 8
/** Tokens with log probabilities in one frame. */
export const MAX_LOGPROBS = 8_192
/** Engines count tokens in 32 bits. A larger id would come out as another token. */
export const MAX_TOKEN_ID = 2_147_483_647
/** Token ids in one frame. */
export const MAX_TOKEN_IDS = 8_192
export const MAX_TOP_LOGPROBS = 20
/** The longest tokens of common vocabularies have 128 bytes. */
export const MAX_TOKEN_BYTES = 512
/** The text of a token may write each byte as an escape. */
export const MAX_TOKEN_LENGTH = 4_096
/** Tool calls in one frame. */
export const MAX_CALLS = 128
/** Citations in one frame. */
export const MAX_ANNOTATIONS = 1_024
/** The part of a sealed request that the gateway can read. */
export const MAX_SEAL_HEADER_LENGTH = 16_384
/** Devices that can open one sealed request. */
export const MAX_SEAL_KEYS = 64
/** A sealed event in base64. Leaves room for the rest of its frame. */
export const MAX_BOX_LENGTH = MAX_FRAME_BYTES - 8_192
/** The sealed part of the end of a job, or of its error: finish reasons, or a message. */
export const MAX_END_BOX_LENGTH = 32_768
/**
 * The sealed events of a job that another device continues: their length, and BOX_BYTES for each. A
 * job with more is not continued.
 */
export const MAX_BEGUN_BYTES = 4 * 1024 * 1024
/** The memory that a box takes besides its text. */
export const BOX_BYTES = 32
/** Devices that took part in a sealed reply before it is not continued any more. */
export const MAX_BEGUN_ATTEMPTS = 64
