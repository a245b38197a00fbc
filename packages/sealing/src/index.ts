export { newAgreementKey, newSigningKey, type AgreementKey, type KeyPair, type SigningKey } from './keys/key-pair.ts'
export { isAgreementKey } from './keys/agreement-key.ts'
export { fingerprintOf, type Fingerprint } from './keys/fingerprint.ts'
export { readSealText, sealText, type SealText, type SealTextKind } from './keys/seal-text.ts'
export {
  isSignedBy,
  readSignedText,
  signText,
  type SignedText,
  type SignedTextResult,
} from './documents/signed-text.ts'
export {
  readAdministrators,
  writeAdministrators,
  type Administrator,
  type Administrators,
  type AdministratorsResult,
} from './documents/administrators.ts'
export {
  readDeviceList,
  writeDeviceList,
  type DeviceList,
  type DeviceListResult,
  type TrustedDevice,
} from './documents/device-list.ts'
export { writeRelease, readRelease, type NamedApp } from './documents/release.ts'
export type { DocumentReason } from './documents/read-signed.ts'
export { chainAfter, compareWithSeen, type Chained, type Seen, type SeenDocument } from './documents/seen.ts'
export { checkSeal, type SealCheck, type SealReason, type SealVerdict } from './documents/check-seal.ts'
export type { ContentKey } from './box/derive-key.ts'
export { readSealedHeader, type SealedHeader, type SealedPrefix } from './job/header.ts'
export { readSealedJob, type SealedJob, type WrappedKey } from './job/sealed-job.ts'
export { sealJob, type JobToSeal } from './job/seal-job.ts'
export { openJob, type JobToOpen, type OpenedJob, type OpenJobReason } from './job/open-job.ts'
export { EMPTY_TRANSCRIPT, type Transcript } from './events/transcript.ts'
export { EventSealer } from './events/event-sealer.ts'
export { EventOpener } from './events/event-opener.ts'
export type { OpenedEvent, OpenEventReason } from './events/attempt-opener.ts'
export { openBegun, type Begun, type OpenedBegun } from './events/open-begun.ts'
