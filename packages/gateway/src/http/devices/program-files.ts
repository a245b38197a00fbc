// Downloads for other machines: a program that fits this gateway, its description, and its installer. Public, like the source code.

import { BILL_TYPE } from '../../device-app/bill-of-materials.ts'
import type { Handout } from '../../device-app/build-handouts.ts'
import type { HandedOutProgram } from '../../device-app/handed-out-program.ts'
import { allowMethods } from '../request-head.ts'
import type { Call, Route } from '../route.ts'

export function createProgramRoute(program: HandedOutProgram): Route {
  const { path: place } = program
  const paths = [`${place}/app.json`, `${place}/app.tgz`, `${place}/app.cdx.json`, `${place}/installer.tgz`] as const
  return {
    kind: 'device',
    paths,
    has: (path) => paths.some((known) => known === path),
    answer: (call) => answerFile(call, program),
  }
}

async function answerFile({ request, path, outlet }: Call, program: HandedOutProgram): Promise<void> {
  allowMethods(request, path, ['GET', 'HEAD'])
  // Caches have to revalidate: the next version has the same URL.
  outlet.header('cache-control', 'no-cache')
  if (path.endsWith('/app.json')) return outlet.json(200, JSON.stringify(await program.notice()))
  const { content, sha256 } = await findFile(path, program)
  outlet.header('etag', `"${sha256}"`)
  if (request.headers['if-none-match'] === `"${sha256}"`) return outlet.empty(304)
  return outlet.whole(200, path.endsWith('.tgz') ? 'application/gzip' : BILL_TYPE, content)
}

async function findFile(path: string, program: HandedOutProgram): Promise<Handout> {
  const { app, installer, billOfMaterials } = await program.handouts()
  if (path.endsWith('/app.tgz')) return app
  return path.endsWith('/installer.tgz') ? installer : billOfMaterials
}
