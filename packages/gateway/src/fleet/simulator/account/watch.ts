// Tells the account what the gateway hears of its devices and which attempts it starts, just before it does.

import type { Roles } from '../../roles.ts'
import type { Account } from './account.ts'

export function watch({ home, jobs, desks }: Roles, account: Account): void {
  watchDevices(home, account)
  let organization = ''
  const take = desks.take.bind(desks)
  desks.take = (from, to, message) => {
    organization = to
    take(from, to, message)
  }
  const createLessor = desks.createLessor.bind(desks)
  desks.createLessor = () => {
    const lessor = createLessor()
    account.leasedBy(organization, lessor)
    return lessor
  }
  const tick = jobs.tick.bind(jobs)
  jobs.tick = () => {
    account.ticking()
    tick()
  }
}

function watchDevices(home: Roles['home'], account: Account): void {
  const up = home.deviceUp.bind(home)
  home.deviceUp = (link) => {
    account.linkUp(link)
    up(link)
    account.checkServed(account.devices.get(link.identity.id)!)
  }
  const down = home.deviceDown.bind(home)
  home.deviceDown = (link) => {
    account.linkDown(link)
    down(link)
  }
  const changed = home.deviceChanged.bind(home)
  home.deviceChanged = (link) => {
    const check = account.announce(link)
    changed(link)
    check()
  }
  const describe = home.describe.bind(home)
  home.describe = (link) => {
    account.stated(link)
    return describe(link)
  }
  const start = home.start.bind(home)
  home.start = (front, message) => {
    const attempt = account.offer(message.start, message.request)
    start(front, message)
    if (!attempt.isStarted) account.refusedByHome(attempt)
  }
}
