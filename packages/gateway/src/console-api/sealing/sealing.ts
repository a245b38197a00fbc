import { ApiError } from '@hearth/chat'
import { readSealText } from '@hearth/sealing'
import { sealInstallLine } from '../../device-app/install-line.ts'
import { changeIn, organizationOf, sharedUrl, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/sealing.ts'
import { describeSealing } from './describe-sealing.ts'

export function addSealing(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, fleet } = parts

  app.openapi(routes.readSealing, async (context) => {
    const organization = organizationOf(context)
    const [sealing, known] = await Promise.all([store.readSealing(organization), store.listDevices(organization)])
    if (!sealing) throw notFound('organization')
    const { devices: linked } = await fleet.view(organization)
    return context.json(describeSealing(sealing, { known, linked }), 200)
  })

  app.openapi(routes.readSealProgram, async (context) => {
    const { version, sha256 } = await parts.sealProgram.notice()
    return context.json({ version, sha256, installCommand: sealInstallLine(sharedUrl(parts, context)) }, 200)
  })

  app.openapi(routes.changeSealing, async (context) => {
    const { organization } = context.get('membership')
    const { mode, seal, name } = context.req.valid('json')
    const isReplaced = seal !== undefined && organization.seal !== null && organization.seal !== seal
    if (seal !== undefined) checkSeal(seal)
    if (isReplaced && name !== organization.name) throw unconfirmed()
    const done = await store.changeSealing({ ...changeIn(context), mode, seal })
    if (done === 'unknown') throw notFound('organization')
    if (done === 'no-seal') throw noSeal()
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

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
