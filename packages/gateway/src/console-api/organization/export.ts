// Downloads of everything that is kept about an organization or a person. A download asks the store as long as somebody reads it, so nobody may
// have many of them.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { dumpOrganization, dumpPerson } from '../../access/export-data.ts'
import type { AtOnce } from '../../at-once.ts'
import type { ConsoleContext } from '../console.ts'
import { json, routesOf } from '../routes/route.ts'

const route = routesOf('Export')

export const DOWNLOADS_PER_PERSON = 2

const everything = json(
  'One JSON document, as a download. It has no secrets, and no prompts or completions, because none are kept',
  z.record(z.string(), z.unknown()),
)

export const exportOrganization = route('get', '/organizations/{organization}/export', {
  access: 'organization.export',
  summary: 'Download everything that is kept about the organization',
  responses: everything,
  handle({ store, downloads }, context) {
    const texts = dumpOrganization(store, context.get('membership').organization)
    return download(context, downloads, 'hearth-organization.json', texts)
  },
})

export const exportMe = route('get', '/me/export', {
  access: 'signed-in',
  summary: 'Download everything that is kept about you',
  responses: everything,
  handle({ store, downloads }, context) {
    const texts = dumpPerson(store, context.get('session').person.id)
    return download(context, downloads, 'hearth-account.json', texts)
  },
})

/** If the store fails on the way, the download breaks off, and the browser says so. */
function download(context: ConsoleContext, downloads: AtOnce, name: string, texts: AsyncIterable<string>) {
  const leave = downloads.enter(context.get('session').person.id, DOWNLOADS_PER_PERSON)
  if (!leave) throw tooMany()
  context.env.whenOver(leave)
  const bytes = ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${name}"` }
  return context.body(bytes, 200, headers)
}

function tooMany(): ApiError {
  const message = `You have ${DOWNLOADS_PER_PERSON} downloads running. Wait until one of them has ended.`
  return new ApiError('rate_limit_exceeded', message, null, { 'retry-after': '15' })
}
