// Tells the account what the gateway hears of its devices and which attempts it starts, just before it does.

import type { Roles } from '../../roles.ts'
import { change } from '../change.ts'
import type { Account } from './account.ts'

export function watch({ home, jobs, desks }: Roles, account: Account): void {
  watchDevices(home, account)
  let organization = ''
  change(desks, 'take', (take) => (from, to, message) => {
    organization = to
    take(from, to, message)
  })
  change(desks, 'createLessor', (create) => () => {
    const lessor = create()
    account.leasedBy(organization, lessor)
    return lessor
  })
  change(jobs, 'tick', (tick) => () => {
    account.ticking()
    tick()
  })
}

function watchDevices(home: Roles['home'], account: Account): void {
  change(home, 'deviceDown', (down) => (link) => {
    account.linkDown(link)
    down(link)
  })
  change(home, 'deviceChanged', (changed) => (link) => {
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
  change(home, 'describe', (describe) => (link) => {
    account.stated(link)
    return describe(link)
  })
  change(home, 'start', (start) => (front, message) => {
    const attempt = account.offer(message.start, message.request)
    start(front, message)
    if (!attempt.isStarted) account.refusedByHome(attempt)
  })
}
