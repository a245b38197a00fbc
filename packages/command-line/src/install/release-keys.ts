// The keys with which the project signs its releases, as base64url (Ed25519). scripts/sign-release.ts makes one and signs with it.
//
// There is no release yet, so there is no key. To change keys, add the new one here in a release that the old one signs, and remove the old
// one in a later release: whoever updates in between knows both.

export const RELEASE_KEYS: readonly string[] = []
