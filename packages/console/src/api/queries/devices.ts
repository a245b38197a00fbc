import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

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

export function enrolments(organization: string) {
  return organizationQuery(organization, ['enrolments'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/enrolments', { params: { path }, signal }))
    return answer.enrolments
  })
}
