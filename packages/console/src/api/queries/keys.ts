import { keepPreviousData } from '@tanstack/react-query'
import type { paths } from '../schema.d.ts'
import { organizationQuery } from './organization-query.ts'

type KeyQuery = NonNullable<paths['/organizations/{organization}/keys']['get']['parameters']['query']>
export type KeyQuestion = Omit<KeyQuery, 'offset' | 'limit'>

export const KEY_PAGE = 100
const FOUND_KEYS = 10

/** Shows the page before until this one is here. */
export function keyPage(organization: string, question: KeyQuestion, page: number) {
  const query = organizationQuery(organization, ['keys', question, page], async (own) =>
    own.get('/keys', { query: { ...question, offset: page * KEY_PAGE, limit: KEY_PAGE } }),
  )
  return { ...query, placeholderData: keepPreviousData }
}

export function oneKey(organization: string, key: string) {
  return organizationQuery(organization, ['keys', key], async (own) => own.get('/keys/{key}', { key }))
}

/** A few keys for someone who types a part of their name. */
export function findKeys(organization: string, search: string) {
  return organizationQuery(organization, ['keys', 'find', search], async (own) => {
    return (await own.get('/keys', { query: { search, limit: FOUND_KEYS } })).keys
  })
}
