// Downloads of everything that is kept about an organization or a person. A download asks the store as long as somebody reads it, so nobody may
// have many of them.

import { ApiError } from '@hearth/chat'
import { exportOrganization, exportPerson } from '../../access/export-data.ts'
import { AtOnce } from '../../at-once.ts'
import type { ConsoleApp, ConsoleContext, ConsoleParts } from '../console.ts'
import * as routes from '../routes/export.ts'

export const DOWNLOADS_PER_PERSON = 2

export function addExport(app: ConsoleApp, { store }: ConsoleParts): void {
  const downloads = new AtOnce()
  app.openapi(routes.exportOrganization, (context) => {
    const texts = exportOrganization(store, context.get('membership').organization)
    return download(context, downloads, 'hearth-organization.json', texts)
  })
  app.openapi(routes.exportMe, (context) => {
    const texts = exportPerson(store, context.get('session').person.id)
    return download(context, downloads, 'hearth-account.json', texts)
  })
}

/** If the store fails on the way, the download breaks off, and the browser says so. */
function download(context: ConsoleContext, downloads: AtOnce, name: string, texts: AsyncIterable<string>) {
  const leave = downloads.enter(context.get('session').person.id, DOWNLOADS_PER_PERSON)
  if (!leave) throw tooMany()
  context.env.whenOver(leave)
  const bytes = ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${name}"` }
  return context.body(bytes, 200, headers) as never
}

function tooMany(): ApiError {
  const message = `You have ${DOWNLOADS_PER_PERSON} downloads running. Wait until one of them has ended.`
  return new ApiError('rate_limit_exceeded', message, null, { 'retry-after': '15' })
}
