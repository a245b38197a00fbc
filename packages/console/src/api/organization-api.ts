// Calls to the part of the console API that belongs to an organization: `own.patch('/keys/{key}', { key, body })`.

import { queryOptions } from '@tanstack/react-query'
import { api, send } from './client.ts'
import type { paths } from './schema.d.ts'

const PREFIX = '/organizations/{organization}'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Inside = { [Path in keyof paths as Path extends `${typeof PREFIX}${infer Rest}` ? Rest : never]: paths[Path] }
type PathOf<Name extends Method> = {
  [Path in keyof Inside]: Inside[Path] extends Record<Name, { responses: unknown }> ? Path : never
}[keyof Inside]

type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Json } } }
  ? { body: Json }
  : object
type Query<Operation> = Operation extends { parameters: { query: infer Given } }
  ? { query: Given }
  : Operation extends { parameters: { query?: infer Given } }
    ? { query?: NonNullable<Given> }
    : object
type Names<Operation> = Operation extends { parameters: { path: infer Given } } ? Omit<Given, 'organization'> : object
type Options<Operation> = Names<Operation> & Query<Operation> & Body<Operation>
/** Calls that need nothing are made without options. */
type Arguments<Given> = object extends Given ? [options?: Given] : [options: Given]

type Json<Response> = Response extends { content: { 'application/json': infer Data } } ? Data : undefined
type Answer<Operation> = Operation extends { responses: infer Known }
  ? { [Status in keyof Known & (200 | 201 | 204)]: Json<Known[Status]> }[keyof Known & (200 | 201 | 204)]
  : never

export type OrganizationApi = {
  [Name in Method]: <Path extends PathOf<Name>>(
    path: Path,
    ...options: Arguments<Options<Inside[Path][Name]>>
  ) => Promise<Answer<Inside[Path][Name]>>
}

export function organizationApi(organization: string, signal?: AbortSignal): OrganizationApi {
  const call =
    (method: Method) =>
    async (path: string, { query, body, ...names }: { query?: unknown; body?: unknown } = {}) => {
      const params = { path: { organization, ...names }, query }
      return send(api.request(method, (PREFIX + path) as never, { params, body, signal } as never))
    }
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as unknown as OrganizationApi
}

export type ReadPath = PathOf<'get'>
export type ReadArguments<Path extends ReadPath> = Arguments<Options<Inside[Path]['get']>>

/** Data of an organization. `changes.ts` says which changes make what is below a path, such as /devices, out of date. */
export function readQuery<Path extends ReadPath>(organization: string, path: Path, ...options: ReadArguments<Path>) {
  const [, subject = 'organization'] = path.split('/')
  return queryOptions({
    queryKey: [organization, subject, path, ...options],
    queryFn: async ({ signal }) => organizationApi(organization, signal).get(path, ...options),
  })
}
