import { Violation } from './violation.ts'

/** At most one gateway schedules an organization. Returns how many organizations have one. Allocates nothing, as it runs at every step. */
export function checkSchedulers<Gateway extends { maySchedule(organization: string): boolean }>(
  organizations: readonly string[],
  gateways: readonly Gateway[],
  describe: (gateway: Gateway) => string,
): number {
  let scheduled = 0
  for (const organization of organizations) {
    let scheduler: Gateway | undefined
    for (const gateway of gateways) {
      if (!gateway.maySchedule(organization)) continue
      if (scheduler !== undefined)
        throw new Violation(`${organization} has two schedulers: ${describe(scheduler)}, ${describe(gateway)}`)
      scheduler = gateway
    }
    if (scheduler !== undefined) scheduled += 1
  }
  return scheduled
}
