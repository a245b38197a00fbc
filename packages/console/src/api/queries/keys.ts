import { keepPreviousData } from '@tanstack/react-query'
import { api, send } from '../client.ts'
import type { paths } from '../schema.d.ts'
import { organizationQuery } from './organization-query.ts'

type KeyQuery = NonNullable<paths['/organizations/{organization}/keys']['get']['parameters']['query']>
export type KeyQuestion = Omit<KeyQuery, 'offset' | 'limit'>

export const KEY_PAGE = 100
const FOUND_KEYS = 10

/** Shows the page before until this one is here. */
export function keyPage(organization: string, question: KeyQuestion, page: number) {
  const query = organizationQuery(organization, ['keys', question, page], async (path, signal) => {
    const params = { path, query: { ...question, offset: page * KEY_PAGE, limit: KEY_PAGE } }
    return send(api.GET('/organizations/{organization}/keys', { params, signal }))
  })
  return { ...query, placeholderData: keepPreviousData }
}

export function oneKey(organization: string, key: string) {
  return organizationQuery(organization, ['keys', key], async (path, signal) =>
    send(api.GET('/organizations/{organization}/keys/{key}', { params: { path: { ...path, key } }, signal })),
  )
}

/** A few keys for someone who types a part of their name. */
export function findKeys(organization: string, search: string) {
  return organizationQuery(organization, ['keys', 'find', search], async (path, signal) => {
    const params = { path, query: { search, limit: FOUND_KEYS } }
    return (await send(api.GET('/organizations/{organization}/keys', { params, signal }))).keys
  })
}
