// A device with one busy slot and almost a thousand jobs waiting for it changes its mind about one feature, over and over.

import { FEATURES, type DeviceModel } from '@hearth/protocol'
import { HostileLink } from '../attacker/hostile-link.ts'
import type { Tally } from '../attacker/tally.ts'
import { WaitingRequests } from '../attacker/waiting-requests.ts'
import type { Attack, Target } from '../attack.ts'

const JOBS = 990
const SENT_BYTES = 8 * 1024 * 1024

export const toggledModels: Attack = {
  name: 'toggled-models',
  from: 'outside',
  async run(target, tally) {
    const device = { name: target.model, contextLength: 8192, slots: 1, features: [...FEATURES] }
    const link = await openBusyDevice(target, device)
    const requests = fillQueue(target, tally)
    await requests.settle(1)
    tally.count('KiB sent', Math.round((await toggle(link, device)) / 1024))
    await link.settled()
    tally.count(link.isOpen ? 'still linked' : `closed ${await link.closed}`)
    requests.leave()
    link.close()
  },
}

/** Accepts one job and never answers it. */
async function openBusyDevice({ origin, credentials }: Target, device: DeviceModel): Promise<HostileLink> {
  return HostileLink.open({
    origin,
    credential: credentials[0]!,
    models: [device],
    onFrame: (frame, own) => {
      if (frame.type === 'job-start') void own.send({ type: 'job-accept', job: frame.job, attempt: frame.attempt })
    },
  })
}

function fillQueue({ origin, keys, model }: Target, tally: Tally): WaitingRequests {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
  const sendings = Array.from({ length: JOBS }, (_, index) => ({
    path: '/openai/v1/chat/completions',
    key: keys[index % keys.length]!,
    body,
  }))
  return new WaitingRequests(origin, sendings, tally)
}

/** Returns how many bytes were sent. */
async function toggle(link: HostileLink, device: DeviceModel): Promise<number> {
  const messages = [FEATURES.slice(1), FEATURES].map((features) =>
    JSON.stringify({ type: 'models', models: [{ ...device, features }] }),
  )
  let sent = 0
  for (let turn = 0; sent < SENT_BYTES && link.isOpen; turn++) {
    const message = messages[turn % 2]!
    await link.sendText(message)
    sent += message.length
  }
  return sent
}
