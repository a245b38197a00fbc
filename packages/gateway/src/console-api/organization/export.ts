// Downloads of everything that is kept about an organization or a person.

import { exportOrganization, exportPerson } from '../../access/export-data.ts'
import type { ConsoleApp, ConsoleContext, ConsoleParts } from '../console.ts'
import * as routes from '../routes/export.ts'

export function addExport(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.exportOrganization, (context) =>
    download(context, 'hearth-organization.json', exportOrganization(store, context.get('membership').organization)),
  )
  app.openapi(routes.exportMe, (context) =>
    download(context, 'hearth-account.json', exportPerson(store, context.get('session').person.id)),
  )
}

/** If the store fails on the way, the download breaks off, and the browser says so. */
function download(context: ConsoleContext, name: string, texts: AsyncIterable<string>) {
  const bytes = ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${name}"` }
  return context.body(bytes, 200, headers) as never
}
