// Tells the account what the gateway hears of its devices and which attempts it starts, just before it does.

import type { Link } from '../../devices/link.ts'
import type { Roles } from '../../roles.ts'
import type { Account } from './account.ts'

export function watch({ home, scheduler }: Roles, account: Account): void {
  watchDevices(home, account)
  let organization = ''
  const take = scheduler.take.bind(scheduler)
  scheduler.take = (from, to, message) => {
    organization = to
    take(from, to, message)
  }
  const createCore = scheduler.createCore.bind(scheduler)
  scheduler.createCore = () => {
    const own = organization
    const core = createCore()
    const tick = core.tick.bind(core)
    core.tick = (now) => {
      account.ticking(own)
      tick(now)
    }
    account.scheduledBy(own, core)
    return core
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
  const announced = (tell: (link: Link) => void) => (link: Link) => {
    const check = account.announce(link)
    tell(link)
    check()
  }
  home.deviceModels = announced(home.deviceModels.bind(home))
  home.deviceDraining = announced(home.deviceDraining.bind(home))
  const start = home.start.bind(home)
  home.start = (front, message) => {
    const attempt = account.offer(message.of, message.request)
    start(front, message)
    if (!attempt.isStarted) account.refusedByHome(attempt)
  }
}
