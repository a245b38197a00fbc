// Somebody with the credentials of one gateway, at a server with the permissions of deploy/nats/nats.conf.

import { readFileSync } from 'node:fs'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectNats } from '../../../bus/nats-bus.ts'
import { echo } from '../../../bus/testing/echo.ts'
import { hasNats, startNats, type TestNats } from '../../../testing/start-nats.ts'
import { newGatewayId } from '../../terms/gateway-id.ts'
import { openPeerLinks } from './peer-links.ts'

const DEPLOYED = readFileSync(new URL('../../../../../../deploy/nats/nats.conf', import.meta.url), 'utf8')
const USER = /\{\s*user: hearth[^}]*\}\s*\}/
const PASSWORD = 'secret'

/** The user of the deployed file once for each gateway, as its comment says. */
function authorizationFor(...users: string[]): string {
  const [block = ''] = USER.exec(DEPLOYED) ?? []
  const blocks = users.map((user) =>
    block
      .replace('user: hearth', `user: ${user}`)
      .replace('hearth.to.hearth.*', `hearth.to.${user}.*`)
      .replace('$NATS_PASSWORD', `"${PASSWORD}"`),
  )
  return `authorization { users: [${blocks.join(',')}] }`
}

describe.runIf(await hasNats('the credentials of one gateway'))('with the credentials of one gateway', () => {
  let nats: TestNats
  let thief: NatsConnection

  beforeAll(async () => {
    nats = await startNats({ configuration: authorizationFor('one', 'two') })
    thief = await connect({ servers: `127.0.0.1:${nats.port}`, user: 'two', pass: PASSWORD })
  })
  afterAll(async () => {
    await thief.close()
    await nats.stop()
  })

  async function openGateway(user: string) {
    const faults: unknown[] = []
    const onFault = (error: unknown) => faults.push(error)
    const bus = await connectNats(`nats://${user}:${PASSWORD}@127.0.0.1:${nats.port}`, { onFault })
    const links = openPeerLinks<string>({ bus, self: newGatewayId(user), version: '1', onFault })
    const heard: string[] = []
    links.listen({ up: () => {}, down: () => {}, message: (_from, message) => heard.push(message) })
    const close = async () => {
      links.close()
      await bus.close()
    }
    return { bus, links, heard, faults, close }
  }

  it('gateways hear each other on every subject that they use', async () => {
    const [one, two] = [await openGateway('one'), await openGateway('two')]
    one.links.expect([two.links.self])
    await expect.poll(() => one.links.isUp(two.links.self) && two.links.isUp(one.links.self)).toBe(true)
    one.links.send(two.links.self, 'secret prompt')
    await expect.poll(() => two.heard).toEqual(['secret prompt'])
    for (const subject of ['hearth.peers', 'hearth.limits']) {
      const got = Promise.withResolvers<void>()
      two.bus.subscribe(subject, ({ length }) => length > 0 && got.resolve())
      await echo(two.bus, subject)
      one.bus.publish(subject, Buffer.from('x'))
      await got.promise
    }
    expect([one.faults, two.faults]).toEqual([[], []])
    await one.close()
    await two.close()
  })

  it.each([
    '>',
    '*.>',
    'hearth.>',
    'hearth.*',
    'hearth.to.>',
    'hearth.to.*.*',
    'hearth.to.one.*',
    '_INBOX.>',
    '$SYS.>',
  ])('nobody can subscribe to %s', async (subject) => {
    const rejected = Promise.withResolvers<Error>()
    thief.subscribe(subject, { callback: (error) => void (error && rejected.resolve(error)) })
    expect((await rejected.promise).message).toMatch(/permissions violation/i)
  })

  it.each(['_INBOX.reply', 'hearth.other', 'other', '$SYS.REQ.SERVER.PING'])(
    'nobody can publish to %s',
    async (subject) => {
      const seen: string[] = []
      void (async () => {
        for await (const { type, ...status } of thief.status()) seen.push(`${type} ${String(Object.values(status))}`)
      })()
      thief.publish(subject, 'x')
      await thief.flush()
      await expect.poll(() => seen.join('\n')).toMatch(/permissions violation/i)
    },
  )
})
