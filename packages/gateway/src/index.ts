// Exports for tests and benchmarks outside this package.

export {
  createCredential,
  createEnrolmentToken,
  createInvitationToken,
  createKey,
  digestSecret,
  isKey,
} from './access/secrets/secrets.ts'
export { sharedAddress } from './access/network/shared-address.ts'
export { countListeners } from './http/listen.ts'
export { openStore } from './store/open-store.ts'
export type { Store } from './store/store.ts'
