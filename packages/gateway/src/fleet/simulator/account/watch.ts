// Tells the account what the gateway hears of its devices and which attempts it starts, just before it does.

import type { Roles } from '../../roles.ts'
import { change } from '../change.ts'
import type { Account } from './account.ts'

export function watch({ hub, jobs, schedulers }: Roles, account: Account): void {
  watchDevices(hub, account)
  let organization = ''
  change(schedulers, 'of', (find) => (of, from) => {
    organization = of
    return find(of, from)
  })
  change(schedulers, 'createScheduler', (create) => () => {
    const scheduler = create()
    account.leasedBy(organization, scheduler)
    return scheduler
  })
  change(jobs, 'tick', (tick) => () => {
    account.ticking()
    tick()
  })
}

function watchDevices(hub: Roles['hub'], account: Account): void {
  change(hub, 'deviceDown', (down) => (link) => {
    account.linkDown(link)
    down(link)
  })
  change(hub, 'deviceChanged', (changed) => (link) => {
    const { id } = link.identity
    if (account.devices.get(id)?.epoch === link.epoch) {
      const check = account.announce(link)
      changed(link)
      return check()
    }
    account.linkUp(link)
    changed(link)
    account.checkServed(account.devices.get(id)!)
  })
  change(hub, 'reportOf', (reportOf) => (link) => {
    account.reported(link)
    return reportOf(link)
  })
  change(hub, 'start', (begin) => (start, request, front) => {
    const attempt = account.offer(start, request)
    begin(start, request, front)
    if (!attempt.isStarted) account.refusedByHub(attempt)
  })
}
