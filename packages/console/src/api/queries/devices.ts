import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

/** As often as devices measure. */
const DAY_MS = 10_000

export function devices(organization: string) {
  return organizationQuery(organization, ['devices'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/devices', { params: { path }, signal }))
    return answer.devices
  })
}

export function deviceSpeeds(organization: string, device: string) {
  return organizationQuery(organization, ['devices', device, 'speeds'], async (path, signal) => {
    const params = { path: { ...path, device } }
    const answer = await send(api.GET('/organizations/{organization}/devices/{device}/speeds', { params, signal }))
    return answer.models
  })
}

/** Asked again while someone looks: the power of a machine changes all the time. */
export function deviceDay(organization: string, device: string) {
  const query = organizationQuery(organization, ['devices', device, 'today'], async (path, signal) => {
    const params = { path: { ...path, device } }
    return send(api.GET('/organizations/{organization}/devices/{device}/today', { params, signal }))
  })
  return { ...query, refetchInterval: DAY_MS }
}

export function enrolments(organization: string) {
  return organizationQuery(organization, ['enrolments'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/enrolments', { params: { path }, signal }))
    return answer.enrolments
  })
}
