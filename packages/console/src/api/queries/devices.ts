import { organizationQuery } from './organization-query.ts'

/** As often as devices measure. */
const DAY_MS = 10_000

export function devices(organization: string) {
  return organizationQuery(organization, ['devices'], async (own) => (await own.get('/devices')).devices)
}

export function deviceSpeeds(organization: string, device: string) {
  return organizationQuery(
    organization,
    ['devices', device, 'speeds'],
    async (own) => (await own.get('/devices/{device}/speeds', { device })).models,
  )
}

/** Asked again while someone looks: the power of a machine changes all the time. */
export function deviceDay(organization: string, device: string) {
  const query = organizationQuery(organization, ['devices', device, 'today'], async (own) =>
    own.get('/devices/{device}/today', { device }),
  )
  return { ...query, refetchInterval: DAY_MS }
}

export function enrolments(organization: string) {
  return organizationQuery(organization, ['enrolments'], async (own) => (await own.get('/enrolments')).enrolments)
}
