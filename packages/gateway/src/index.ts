// What tests and benchmarks outside of this package use.

export {
  createCredential,
  createEnrolmentToken,
  createInvitationToken,
  createKey,
  digestSecret,
  isKey,
} from './access/keys.ts'
export { openStore } from './store/open-store.ts'
export type { Store } from './store/store.ts'
