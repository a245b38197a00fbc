import { CipherSuite } from 'hpke'
import { nodeAesGcm, nodeHkdf, nodeX25519 } from './node-primitives.ts'

export const SUITE = new CipherSuite(nodeX25519, nodeHkdf, nodeAesGcm)
