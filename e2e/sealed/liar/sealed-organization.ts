// An organization with a seal, its documents old and new, and keys that somebody else got hold of.

import {
  newAgreementKey,
  newSigningKey,
  sealText,
  writeAdministrators,
  writeDeviceList,
  type AgreementKey,
  type SignedText,
  type SigningKey,
  type TrustedDevice,
} from '@hearth/sealing'

export const ORGANIZATION = 'organization-1'
export const DEVICE = 'device-1'
export const THIEF = 'device-2'

export interface SealedOrganization {
  seal: string
  root: SigningKey
  /** An administrator that the newest document no longer names. */
  former: SigningKey
  /** Of the trusted device. */
  key: AgreementKey
  /** A device that was trusted until the newest list. The gateway has its key. */
  stolen: AgreementKey
  administrators: { old: SignedText; newest: SignedText }
  /** `rival` has the newest number too, `elsewhere` belongs to another organization with this seal. */
  devices: { old: SignedText; newest: SignedText; rival: SignedText; elsewhere: SignedText; byFormer: SignedText }
}

export function makeOrganization(): SealedOrganization {
  const [root, former] = [newSigningKey(), newSigningKey()]
  const [key, stolen] = [newAgreementKey(), newAgreementKey()]
  const trusted: TrustedDevice = { id: DEVICE, name: 'trusted', key: key.publicKey, from: 1 }
  const thief: TrustedDevice = { id: THIEF, name: 'thief', key: stolen.publicKey, from: 1 }
  const list = (number: number, devices: TrustedDevice[], { signer = root, organization = ORGANIZATION } = {}) =>
    writeDeviceList({ organization, number, signedAt: number, devices }, signer)
  const administrators = (number: number, names: SigningKey[]) =>
    writeAdministrators(
      { organization: ORGANIZATION, number, administrators: names.map((each) => ({ name: 'A', key: each.publicKey })) },
      root,
    )
  return {
    seal: sealText(root.publicKey, 'hs'),
    root,
    former,
    key,
    stolen,
    administrators: { old: administrators(1, [former]), newest: administrators(2, []) },
    devices: {
      old: list(1, [trusted, thief]),
      newest: list(2, [trusted]),
      rival: list(2, [trusted, thief]),
      elsewhere: list(2, [trusted, thief], { organization: 'organization-2' }),
      byFormer: list(3, [trusted, thief], { signer: former }),
    },
  }
}
