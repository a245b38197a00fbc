// Sealed requests of an organization: its seal, and which devices the signed list approves. The gateway only shows what was signed elsewhere.

import { z } from '@hono/zod-openapi'
import { body, routesOf, json } from './route.ts'
import { count, id, moment, object, sealingMode } from './shapes.ts'

const route = routesOf('Sealed requests')

/** Longer than any seal, so that a wrong one gets a helpful error. */
const MAX_SEAL = 256

const twoForms = z.object({ words: z.string(), hex: z.string() })
const fingerprint = twoForms.openapi('Fingerprint', {
  description: 'Of a public key, in two forms that people compare',
})

const sealedDevice = object('SealedDevice', {
  id,
  name: z.string(),
  isOnline: z.boolean(),
  state: z
    .enum(['approved', 'new-key', 'not-approved', 'no-key', 'removed'])
    .describe(
      'approved: the list has its key; new-key: the list has another key of it; not-approved: not on the list; no-key: its app is too old; removed: on the list, but no longer a device of the organization',
    ),
  fingerprint: twoForms
    .nullable()
    .describe('Of the key that it has now; of the key on the list while it is offline; null if neither is known'),
})

const sealing = object('Sealing', {
  mode: sealingMode,
  seal: z
    .object({
      text: z.string().describe('The public key, to give to everyone who uses it'),
      fingerprint,
    })
    .nullable(),
  list: z.object({ number: count, signedAt: moment }).nullable().describe('The newest signed list of devices'),
  administrators: z
    .array(z.object({ name: z.string(), key: z.string(), fingerprint }))
    .describe('Who may sign lists in addition to the holder of the seal'),
  devices: z.array(sealedDevice),
})

const program = object('SealProgram', {
  version: z.string(),
  sha256: z.string().describe('Checksum of the program, in hex'),
  installCommand: z.string().describe('The command that installs it, on every system with npm'),
})

export const readSealing = route('get', '/organizations/{organization}/sealing', {
  access: 'sealing.read',
  summary: 'Get whether requests are sealed, the seal, and which devices are approved',
  responses: json('Sealed requests of the organization', sealing),
})

export const readSealProgram = route('get', '/organizations/{organization}/sealing/program', {
  access: 'sealing.read',
  summary: 'Get how to install the program that seals requests, and its checksum',
  responses: json('The program', program),
})

export const changeSealing = route('patch', '/organizations/{organization}/sealing', {
  access: 'sealing.change',
  summary: 'Turn sealed requests on or off, or set the seal. Another seal drops the signed lists',
  request: body(
    z.strictObject({
      mode: sealingMode.optional(),
      seal: z
        .string()
        .trim()
        .min(1)
        .max(MAX_SEAL)
        .optional()
        .openapi({ description: 'The line that `hearth-seal init` prints', example: 'hs-…' }),
      name: z.string().max(256).optional().describe('The name of the organization. Needed to replace a seal'),
    }),
  ),
})
