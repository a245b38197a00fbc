// Sealed requests of an organization: its seal, and which devices the signed list approves. The gateway only shows what was signed elsewhere.

import { ApiError } from '@hearth/chat'
import { readSealText } from '@hearth/sealing'
import { z } from '@hono/zod-openapi'
import { sealInstallLine } from '../../device-app/install-line.ts'
import { changeIn, sharedUrl } from '../console.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, object, sealingMode } from '../routes/shapes.ts'
import { describeSealing } from './describe-sealing.ts'

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
  list: z.object({ number: count, signedAt: dateTime }).nullable().describe('The newest signed list of devices'),
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
  async handle({ store, fleet }, _context, { organization }) {
    const [found, known] = await Promise.all([store.readSealing(organization), store.listDevices(organization)])
    if (!found) throw notFound('organization')
    const { devices: linked } = await fleet.view(organization)
    return describeSealing(found, { known, linked })
  },
})

export const readSealProgram = route('get', '/organizations/{organization}/sealing/program', {
  access: 'sealing.read',
  summary: 'Get how to install the program that seals requests, and its checksum',
  responses: json('The program', program),
  async handle(parts, context) {
    return { ...(await parts.sealProgram.notice()), installCommand: sealInstallLine(sharedUrl(parts, context)) }
  },
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
  async handle(parts, context, { mode, seal, name }) {
    const { organization } = context.get('membership')
    const isReplaced = seal !== undefined && organization.seal !== null && organization.seal !== seal
    if (seal !== undefined) checkSeal(seal)
    if (isReplaced && name !== organization.name) throw unconfirmed()
    const done = await parts.store.changeSealing({ ...changeIn(context), mode, seal })
    if (done === 'no-seal') throw noSeal()
    await settleChange(parts, 'organization', done !== 'unknown')
  },
})

/** People paste it, and a seal with a typo would approve nothing. */
function checkSeal(seal: string): void {
  const kind = readSealText(seal)?.kind
  if (kind === 'hs') return
  const what =
    kind === 'ha'
      ? 'This is the key of an administrator, not the seal.'
      : 'This is not a seal, or a part of it is missing.'
  throw new ApiError('invalid_value', `${what} Copy the whole line that starts with hs- from hearth-seal init.`, 'seal')
}

function unconfirmed(): ApiError {
  const message =
    'This would replace the seal, and every device would have to be approved again. Type the name of the organization to confirm.'
  return new ApiError('invalid_value', message, 'name')
}

function noSeal(): ApiError {
  const message =
    'Sealed requests need a seal. Run hearth-seal init on your own computer, and paste the line that starts with hs- here.'
  return new ApiError('invalid_value', message, 'seal')
}
