export { newAgreementKey, newSigningKey, type AgreementKey, type KeyPair, type SigningKey } from './keys/key-pair.ts'
export * from './keys/agreement-key.ts'
export * from './keys/fingerprint.ts'
export * from './keys/seal-text.ts'
export {
  isSignedBy,
  readSignedText,
  signText,
  type SignedText,
  type SignedTextResult,
} from './documents/signed-text.ts'
export * from './documents/administrators.ts'
export * from './documents/device-list.ts'
export { newestApps, writeRelease, readRelease, type NamedApp } from './documents/release.ts'
export type { DocumentReason } from './documents/read-signed.ts'
export { chainAfter, compareWithSeen, type Chained, type Seen, type SeenDocument } from './documents/seen.ts'
export * from './documents/check-seal.ts'
export type { ContentKey } from './box/derive-key.ts'
export { readSealedHeader, type SealedHeader, type SealedPrefix } from './job/header.ts'
export { readSealedJob, type SealedJob, type WrappedKey } from './job/sealed-job.ts'
export * from './job/seal-job.ts'
export * from './job/open-job.ts'
export { EMPTY_TRANSCRIPT, type Transcript } from './events/transcript.ts'
export * from './events/event-sealer.ts'
export * from './events/event-opener.ts'
export type { OpenedEvent, OpenEventReason } from './events/attempt-opener.ts'
export * from './events/open-begun.ts'
